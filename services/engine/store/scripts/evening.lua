-- Sets when a table's people meet again, and writes the notices of it to all who have subscribed to them.
--
-- KEYS  1 the table's evening   2 its bucket's notices
-- ARGV  1 who sets it   2 what it is; empty for none   3 seconds for which it is kept
--       4 … two for each notice: its kind, and the time at which it is due, of 13 digits, with its content
-- Returns 1 when it was set, 0 where it was so already.

if redis.call('HGET', KEYS[1], 'set') == ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'set', ARGV[2])
redis.call('HDEL', KEYS[1], 'i', 'e')
redis.call('EXPIRE', KEYS[1], ARGV[3])
local found = redis.call('HGETALL', KEYS[1])
for i = 4, #ARGV, 2 do
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
  for j = 1, #found, 2 do
    -- Subscriptions alone have an id of 22 characters.
    if #found[j] == 22 and found[j + 1]:sub(34, 36):find(ARGV[i], 1, true) then
      redis.call('ZADD', KEYS[2], ARGV[i + 1]:sub(1, 13), found[j] .. ARGV[i + 1])
    end
  end
end
return 1
