-- Detects that Redis has lost its last writes, or was restored: its data are older than what an engine has seen. Then it sets
-- a floor: tables go on with versions above it, so that no version that was sent to a client is used again.
--
-- Other scripts begin with this one. It uses these fields of the hash of heartbeat.lua:
--   run (the server's run id), resumed (the last heartbeat before that run), floor, restored (set by a restore by hand)

-- The floor is the seconds since the beginning of 2026: a later floor is higher, even if Redis has lost the earlier one.
local BEGINNING = 1767225600
-- No table changes so often between two floors. A version further beyond is damaged.
local PLAUSIBLE = 1000000

-- known: run id that the engine saw last, or empty   last: its last heartbeat, or 0   newest: version of a table that the engine
-- knew of, and that the table is below, or 0
local function epoch(key, known, last, newest)
  local info = redis.pcall('INFO', 'server')
  local run = type(info) == 'string' and info:match('run_id:(%x+)') or ''
  local heartbeat = redis.pcall('HMGET', key, 'at', 'run', 'resumed', 'floor', 'restored')
  if heartbeat.err then
    -- The key holds another type of value, which no release wrote: the clocks must go on.
    redis.call('DEL', key)
    heartbeat = {}
  end
  local at, resumed, floor = tonumber(heartbeat[1] or 0) or 0, tonumber(heartbeat[3] or 0) or 0, tonumber(heartbeat[4] or 0) or 0
  local time = redis.call('TIME')
  if run ~= heartbeat[2] then
    resumed = at
    -- While Redis accepts no writes, tables can still be read.
    redis.pcall('HSET', key, 'run', run, 'resumed', string.format('%.0f', at))
  end
  if at < last or (run ~= known and resumed < last) or newest > floor or heartbeat[5] then
    if floor < last / 1000 - BEGINNING or newest > floor or heartbeat[5] then
      local next = floor + 1
      floor = math.max(time[1] - BEGINNING, next, newest < next + PLAUSIBLE and newest or 0)
      redis.call('HSET', key, 'floor', string.format('%.0f', floor))
      redis.call('HDEL', key, 'restored')
    end
  end
  return floor, run, time
end
