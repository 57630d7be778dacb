-- Stores one transition of a table, completely or not at all. weigh.lua and publish.lua follow, or the latter alone.
--
-- KEYS  1 the table   2 its events (stored deltas)   3 its log   4 its bucket's deadlines   5 its subscriptions
--       6 its bucket's notices   7 the answer under the request's idempotency key   8 the keys of the caller's last answers
--       9 the keys of such lists of answers   10 … those of weigh.lua
-- ARGV  1 table id                  2 version expected, 8 bytes; empty: the table must not exist
--       3 new version, 8 bytes, and snapshot
--       4 event: new version, 8 bytes, nonce of this commit, 12 bytes, and the delta to the snapshot before
--       5 seconds to live; with - before it, a longer time to live stays
--       6 time to wake; empty: never
--       7 channel of the notification, whose message is the new version and snapshot
--       8 what to store under the key, before version and snapshot; empty: there is no key, and KEYS 7 to 9 do not count
--       9 its seconds to live; with - before it, who asks has no seat
--       10 not empty: delete the deltas to all earlier snapshots
--       11 what is news to subscriptions, as notices.py makes it; empty: nothing
--       12 how many lines of the log follow      13 … they      … those of weigh.lua
-- Returns 1 when committed, 2 when notices were written as well, 0 when another commit was faster, or what is stored under
-- the idempotency key.

-- The first bytes of an event, with which a repeated commit is recognized; how many events of a table are kept, how many
-- answers of a caller (after that many writes a caller no longer repeats the first request), and of how many callers.
local KNOWN, KEPT, KEPT_ANSWERS, KEPT_CALLERS = 20, 32, 16, 12
-- For how many seconds subscriptions outlast their table, to get the notice of its end.
local LONGER = 172800

-- Writes to a key; where it holds another type of value, which no release wrote, that is deleted first.
-- A failure would leave half a transition: Redis takes nothing back that a script has written.
local function write(command, key, ...)
  local reply = redis.pcall(command, key, ...)
  if type(reply) == 'table' and reply.err then
    if not tostring(reply.err):find('WRONGTYPE', 1, true) then
      error(reply)
    end
    redis.call('DEL', key)
    reply = redis.call(command, key, ...)
  end
  return reply
end

local current = redis.call('GETRANGE', KEYS[1], 0, 7)

if current ~= ARGV[2] then
  -- Is this the same commit, sent again because the first reply was lost?
  -- (If the key holds another type of value, pcall returns an error instead of a list: it has no elements.)
  for _, event in ipairs(redis.pcall('LRANGE', KEYS[2], 0, -1)) do
    if event:sub(1, KNOWN) == ARGV[4]:sub(1, KNOWN) then
      return 1
    end
  end
end

if ARGV[8] ~= '' then
  local answer = redis.call('GET', KEYS[7])
  if answer then
    return answer
  end
end

if current ~= ARGV[2] then
  return 0
end

local ttl = tonumber(ARGV[5])
if ttl < 0 then
  ttl = math.max(-ttl, redis.call('TTL', KEYS[1]))
end

-- Redis refuses the first write when it is out of memory; nothing after it can fail.
redis.call('SET', KEYS[1], ARGV[3], 'EX', ttl)
if ARGV[10] ~= '' then
  -- What a repeated commit is recognized by stays.
  for place, event in ipairs(redis.pcall('LRANGE', KEYS[2], 0, -1)) do
    redis.call('LSET', KEYS[2], place - 1, event:sub(1, KNOWN))
  end
end
if write('LPUSH', KEYS[2], ARGV[4]) > KEPT then
  redis.call('LTRIM', KEYS[2], 0, KEPT - 1)
end
redis.call('EXPIRE', KEYS[2], ttl)

if ARGV[12] ~= '0' then
  write('RPUSH', KEYS[3], unpack(ARGV, 13, 12 + ARGV[12]))
end
redis.call('EXPIRE', KEYS[3], ttl)

if ARGV[8] ~= '' then
  local seconds = math.min(ttl, math.abs(ARGV[9]))
  redis.call('SET', KEYS[7], ARGV[8] .. ARGV[3], 'EX', seconds)
  local kept = write('LPUSH', KEYS[8], KEYS[7])
  if kept > KEPT_ANSWERS then
    redis.call('DEL', redis.call('RPOP', KEYS[8]))
  elseif kept == 1 and tonumber(ARGV[9]) > 0 then
    -- Anyone who sits down and leaves again and again pushes out answers of seats alone.
    write('LREM', KEYS[9], 0, KEYS[8])
    if redis.call('LPUSH', KEYS[9], KEYS[8]) > KEPT_CALLERS then
      local last = redis.call('RPOP', KEYS[9])
      redis.call('DEL', last, unpack(redis.call('LRANGE', last, 0, -1)))
    end
    redis.call('EXPIRE', KEYS[9], ttl)
  end
  redis.call('EXPIRE', KEYS[8], seconds)
end

if ARGV[6] ~= '' then
  write('ZADD', KEYS[4], ARGV[6], ARGV[1])
else
  write('ZREM', KEYS[4], ARGV[1])
end

local noticed, now = false, 0
if redis.call('EXPIRE', KEYS[5], ttl + LONGER) == 1 then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
  local kind, seat = ARGV[11]:sub(1, 1), ARGV[11]:sub(2, 33)
  -- When it expires it is closed, unless it is already.
  if kind == 'c' then
    write('ZREM', KEYS[6], ARGV[1])
  else
    write('ZADD', KEYS[6], string.format('%.0f', now + ttl * 1000), ARGV[1])
  end
  if kind ~= '' then
    write('HSET', KEYS[5], 'turn', ARGV[3]:sub(1, 8))
    local found = redis.call('HGETALL', KEYS[5])
    for i = 1, #found, 2 do
      local id, of, scope, kinds = found[i], found[i + 1]:sub(1, 32), found[i + 1]:sub(33, 33), found[i + 1]:sub(34, 36)
      if id ~= 'turn' and kinds:find(kind, 1, true) and (kind ~= 't' or scope == 't' or of == seat) then
        local at = string.format('%013.0f', now)
        write('ZADD', KEYS[6], at, id .. at .. ARGV[11]:sub(34))
        noticed = true
      end
    end
  end
end
