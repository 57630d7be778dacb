-- Removes a subscription to a table's evenings, and its notices. Includes account.lua and evenings.lua.
--
-- KEYS  1 the table's evening   2 its bucket's notices
-- ARGV  1 subscription's id

remove_notices(KEYS[1], KEYS[2], ARGV[1])
return redis.call('HDEL', KEYS[1], ARGV[1])
