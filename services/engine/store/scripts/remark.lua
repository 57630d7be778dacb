-- Publishes what a seat says, unless it has said something else a moment ago. What it has said itself is published once.
--
-- KEYS  1 what the seat has said last
-- ARGV  1 what it says   2 milliseconds until it may say something else   3 the table's channel   4 the notification
-- Returns 0 when it is said, otherwise the milliseconds until the seat may speak.

local last = redis.call('GET', KEYS[1])
if last == ARGV[1] then
  return 0
end
if last then
  return math.max(1, redis.call('PTTL', KEYS[1]))
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('PUBLISH', ARGV[3], ARGV[4])
return 0
