-- Detects whether Redis has lost its latest writes or was restored, because its data is older than what an engine has seen.
-- Then it sets a floor, above which all tables continue their versions. So no version that a client may know is used again.
--
-- Included in other scripts. Uses these fields of the hash of heartbeat.lua:
--   run (the server's run id), resumed (the last heartbeat before that run), floor, restored (set after a manual restore)

-- The floor is the number of seconds since the beginning of 2026. So a later floor is higher, even if the earlier one is lost.
local BEGINNING = 1767225600
-- Maximum changes of a table between two floors. A version further above is damaged.
local PLAUSIBLE = 1000000

-- known: the run id last seen by the engine, or empty   last: its last heartbeat, or 0
-- newest: a version that the engine knew of a table that is now older, or 0
local function epoch(key, known, last, newest)
  local info = redis.pcall('INFO', 'server')
  local run = type(info) == 'string' and info:match('run_id:(%x+)') or ''
  local heartbeat = redis.pcall('HMGET', key, 'at', 'run', 'resumed', 'floor', 'restored')
  if heartbeat.err then
    -- The key has the wrong type, which no release writes. Delete it, so that the clocks continue.
    redis.call('DEL', key)
    heartbeat = {}
  end
  local at, resumed, floor = tonumber(heartbeat[1] or 0) or 0, tonumber(heartbeat[3] or 0) or 0, tonumber(heartbeat[4] or 0) or 0
  local time = redis.call('TIME')
  if run ~= heartbeat[2] then
    resumed = at
    -- pcall, so that tables can be read even while Redis accepts no writes.
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
