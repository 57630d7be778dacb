-- Publishes a remark of a seat, unless the seat must still wait after its last one. A retry of the same remark does nothing.
--
-- KEYS  1 the seat's last remark
-- ARGV  1 the remark   2 milliseconds until the seat may make another   3 the table's channel   4 the notification
-- Returns 0, or the milliseconds that the seat must still wait.

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
