-- Records an attempt to deliver a notice, if its subscription still exists.
--
-- KEYS  1 the table's subscriptions   2 the subscription's deliveries
-- ARGV  1 subscription's id   2 the attempt   3 maximum number of attempts stored

if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return
end
local pushed = redis.pcall('LPUSH', KEYS[2], ARGV[2])
if type(pushed) == 'table' then
  redis.call('DEL', KEYS[2])
  redis.call('LPUSH', KEYS[2], ARGV[2])
end
redis.call('LTRIM', KEYS[2], 0, ARGV[3] - 1)
redis.call('PEXPIRE', KEYS[2], math.max(1, redis.call('PTTL', KEYS[1])))
