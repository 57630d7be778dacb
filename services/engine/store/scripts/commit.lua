-- Stores one transition of a table, completely or not at all.
--
-- KEYS  1 the table   2 its events (stored deltas)   3 its log   4 its bucket's deadlines   5 its bucket's listing
--       6 its bucket's other listing   7 its subscriptions   8 its bucket's notices
--       9 the answer under the request's idempotency key; absent without one   10 the keys of the caller's last answers
-- ARGV  1 table id                  2 version expected, 8 bytes; empty: the table must not exist
--       3 new version, 8 bytes, and snapshot
--       4 event: new version, 8 bytes, nonce of this commit, 12 bytes, and the delta to the snapshot before
--       5 seconds to live           6 time to wake; empty: never
--       7 time of listing in the first of the two; empty: in neither
--       8 channel of the notification, whose message is the new version and snapshot
--       9 what to store under the key, before version and snapshot
--       10 its seconds to live      11 not empty: delete the deltas to all earlier snapshots
--       12 what is news to subscriptions, as notices.py makes it; empty: nothing
--       13 … the log's lines
-- Returns 1 when committed, 2 when notices were written as well, 0 when another commit was faster, or what is stored under
-- the idempotency key.

-- The first bytes of an event, by which a repeated commit is recognized; how many events of a table are kept, and how many
-- answers of a caller: whoever has written so often since does not repeat the first request any more.
local KNOWN, KEPT, KEPT_ANSWERS = 20, 32, 16
-- For how many seconds subscriptions outlast their table, of whose end they are still to be told.
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

if KEYS[9] then
  local answer = redis.call('GET', KEYS[9])
  if answer then
    return answer
  end
end

if current ~= ARGV[2] then
  return 0
end

-- Redis refuses the first write when it is out of memory; nothing after it can fail.
redis.call('SET', KEYS[1], ARGV[3], 'EX', ARGV[5])
if ARGV[11] ~= '' then
  -- What a repeated commit is recognized by stays.
  for place, event in ipairs(redis.pcall('LRANGE', KEYS[2], 0, -1)) do
    redis.call('LSET', KEYS[2], place - 1, event:sub(1, KNOWN))
  end
end
if write('LPUSH', KEYS[2], ARGV[4]) > KEPT then
  redis.call('LTRIM', KEYS[2], 0, KEPT - 1)
end
redis.call('EXPIRE', KEYS[2], ARGV[5])

if ARGV[13] then
  write('RPUSH', KEYS[3], unpack(ARGV, 13))
end
redis.call('EXPIRE', KEYS[3], ARGV[5])

if KEYS[9] then
  redis.call('SET', KEYS[9], ARGV[9] .. ARGV[3], 'EX', ARGV[10])
  if write('LPUSH', KEYS[10], KEYS[9]) > KEPT_ANSWERS then
    redis.call('DEL', redis.call('RPOP', KEYS[10]))
  end
  redis.call('EXPIRE', KEYS[10], ARGV[10])
end

if ARGV[6] ~= '' then
  write('ZADD', KEYS[4], ARGV[6], ARGV[1])
else
  write('ZREM', KEYS[4], ARGV[1])
end

if ARGV[7] ~= '' then
  write('ZADD', KEYS[5], 'NX', ARGV[7], ARGV[1])
else
  write('ZREM', KEYS[5], ARGV[1])
end
write('ZREM', KEYS[6], ARGV[1])

local noticed = false
if redis.call('EXPIRE', KEYS[7], ARGV[5] + LONGER) == 1 then
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local kind, seat = ARGV[12]:sub(1, 1), ARGV[12]:sub(2, 33)
  -- When it expires it is closed, unless it is already.
  if kind == 'c' then
    write('ZREM', KEYS[8], ARGV[1])
  else
    write('ZADD', KEYS[8], string.format('%.0f', now + ARGV[5] * 1000), ARGV[1])
  end
  if kind ~= '' then
    write('HSET', KEYS[7], 'turn', ARGV[3]:sub(1, 8))
    local found = redis.call('HGETALL', KEYS[7])
    for i = 1, #found, 2 do
      local id, of, scope, kinds = found[i], found[i + 1]:sub(1, 32), found[i + 1]:sub(33, 33), found[i + 1]:sub(34, 36)
      if id ~= 'turn' and kinds:find(kind, 1, true) and (kind ~= 't' or scope == 't' or of == seat) then
        local at = string.format('%013.0f', now)
        write('ZADD', KEYS[8], at, id .. at .. ARGV[12]:sub(34))
        noticed = true
      end
    end
  end
end

redis.call('PUBLISH', ARGV[8], ARGV[3])
return noticed and 2 or 1
