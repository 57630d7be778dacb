-- Takes one transition of a table, whole or not at all.
--
-- KEYS  1 the table   2 its events   3 its log   4 its bucket's deadlines   5 its bucket's listing
--       6 the answer under the request's idempotency key; absent without one
-- ARGV  1 table id                  2 version expected, 8 bytes; empty: the table must not exist
--       3 new version, decimal      4 new version, 8 bytes, and snapshot
--       5 event: new version, 8 bytes, nonce of this commit, and the way back to the snapshot before
--       6 first bytes of the event by which it is known again, a number
--       7 seconds to live           8 number of events to keep
--       9 time to wake; empty: never   10 time of listing; empty: not listed
--       11 channel of the hint      12 what to keep under the key, before version and snapshot
--       13 its seconds to live
--       14 … the log's lines
-- Returns 1 when committed, 0 when somebody else was faster, or what is kept under the idempotency key.

local current = redis.call('GETRANGE', KEYS[1], 0, 7)

if current ~= ARGV[2] then
  -- This very commit sent again, because the reply to its first sending was lost?
  for _, event in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do
    if event:sub(1, ARGV[6]) == ARGV[5]:sub(1, ARGV[6]) then
      return 1
    end
  end
end

if KEYS[6] then
  local answer = redis.call('GET', KEYS[6])
  if answer then
    return answer
  end
end

if current ~= ARGV[2] then
  return 0
end

-- The first write is one that Redis refuses when it is out of memory; nothing after it can fail.
redis.call('SET', KEYS[1], ARGV[4], 'EX', ARGV[7])
if redis.call('LPUSH', KEYS[2], ARGV[5]) > tonumber(ARGV[8]) then
  redis.call('LTRIM', KEYS[2], 0, ARGV[8] - 1)
end
redis.call('EXPIRE', KEYS[2], ARGV[7])

if ARGV[14] then
  redis.call('RPUSH', KEYS[3], unpack(ARGV, 14))
end
redis.call('EXPIRE', KEYS[3], ARGV[7])

if KEYS[6] then
  redis.call('SET', KEYS[6], ARGV[12] .. ARGV[4], 'EX', ARGV[13])
end

if ARGV[9] ~= '' then
  redis.call('ZADD', KEYS[4], ARGV[9], ARGV[1])
else
  redis.call('ZREM', KEYS[4], ARGV[1])
end

if ARGV[10] ~= '' then
  redis.call('ZADD', KEYS[5], 'NX', ARGV[10], ARGV[1])
else
  redis.call('ZREM', KEYS[5], ARGV[1])
end

redis.call('PUBLISH', ARGV[11], ARGV[3])
return 1
