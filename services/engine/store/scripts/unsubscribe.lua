-- Removes a subscription to a table's notices. After the last one, removes everything stored for subscriptions.
--
-- KEYS  1 the table's subscriptions   2 its bucket's notices   3 … keys that belong to the subscription
-- ARGV  1 table id   2 subscription's id
-- Returns 1 if removed, 0 if it did not exist.

local removed = redis.call('HDEL', KEYS[1], ARGV[2])
redis.call('DEL', unpack(KEYS, 3))
if redis.call('HLEN', KEYS[1]) - redis.call('HEXISTS', KEYS[1], 'turn') == 0 then
  redis.call('DEL', KEYS[1])
  redis.call('ZREM', KEYS[2], ARGV[1])
end
return removed
