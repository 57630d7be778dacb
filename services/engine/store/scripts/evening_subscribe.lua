-- Stores a subscription to a table's evenings, and writes the notices of the one that is set, if they are not due yet.
--
-- KEYS  1 the table's evening   2 its bucket's notices
-- ARGV  1 subscription's id   2 subscription   3 seconds for which it is kept

redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, kind in ipairs({'i', 'e'}) do
  local notice = redis.call('HGET', KEYS[1], kind)
  if notice and ARGV[2]:sub(34, 36):find(kind, 1, true) and tonumber(notice:sub(1, 13)) > now then
    redis.call('ZADD', KEYS[2], notice:sub(1, 13), ARGV[1] .. notice)
  end
end
return 1
