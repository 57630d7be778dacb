-- Stores a transition of a table, completely or not at all. Followed by publish.lua, or by weigh.lua and publish.lua.
--
-- KEYS  1 the table   2 its events (stored deltas)   3 its log   4 its bucket's deadlines   5 its subscriptions
--       6 its bucket's notices   7 the answer for the request's idempotency key   8 the keys of the caller's latest answers
--       9 the keys of all callers' lists of answers   10 … the keys of weigh.lua
-- ARGV  1 table id                  2 expected version, 8 bytes; empty if the table must not exist
--       3 new version, 8 bytes, and snapshot
--       4 event: new version, 8 bytes, nonce of this commit, 12 bytes, and the delta to the previous snapshot
--       5 seconds until the table expires; negative to keep a later expiry
--       6 wake time; empty for never
--       7 channel of the notification, whose message is the new version and snapshot
--       8 beginning of the answer, followed by version and snapshot; empty without an idempotency key (KEYS 7 to 9 are unused)
--       9 seconds until the answer expires; negative if the caller has no seat
--       10 not empty to delete the deltas to all earlier snapshots
--       11 news for subscriptions, from notices.py; empty for none
--       12 number of log lines          13 … log lines, then the arguments of weigh.lua
-- Returns 1 if committed, 2 if notices were also written, 0 if another commit was faster, or the stored answer of an earlier
-- request with the same idempotency key.

-- KNOWN: length of the beginning of an event, which identifies a retried commit. KEPT: events stored for a table. KEPT_ANSWERS:
-- answers stored for a caller, who can retry only so many writes. KEPT_CALLERS: callers with stored answers.
local KNOWN, KEPT, KEPT_ANSWERS, KEPT_CALLERS = 20, 32, 16, 12
-- Seconds for which subscriptions outlast their table, to get the notice of its end.
local LONGER = 172800

-- Executes a write. If the key has the wrong type, which no release writes, it is deleted first. An error would leave half a
-- transition, since Redis does not roll back a script.
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
  -- Is this a retry of the same commit, whose reply was lost?
  -- (If the key has the wrong type, pcall returns an error table, which has no elements.)
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

-- If Redis is out of memory, it refuses the first write. Later writes cannot fail.
redis.call('SET', KEYS[1], ARGV[3], 'EX', ttl)
if ARGV[10] ~= '' then
  -- Keep the beginnings of the events, which identify retried commits.
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
    -- If somebody repeatedly sits down and leaves, only answers for seats are evicted.
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
  -- The table counts as closed when it expires, unless it was closed before.
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
