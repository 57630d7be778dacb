-- Removes a subscription to a table's notices; with the last one, everything that tables without any do not have.
--
-- KEYS  1 the table's subscriptions   2 its bucket's notices   3 … what goes with the subscription
-- ARGV  1 table id   2 subscription's id
-- Returns 1 when removed, 0 when there was none.

local removed = redis.call('HDEL', KEYS[1], ARGV[2])
redis.call('DEL', unpack(KEYS, 3))
if redis.call('HLEN', KEYS[1]) - redis.call('HEXISTS', KEYS[1], 'turn') == 0 then
  redis.call('DEL', KEYS[1])
  redis.call('ZREM', KEYS[2], ARGV[1])
end
return removed
