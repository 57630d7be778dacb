-- Reads a table and the way back to its earlier snapshots, as one.
--
-- KEYS  1 the table   2 its events
-- ARGV  1 the first event wanted, as a stream's id
-- Returns { version and snapshot, or false; the events, newest first }

return { redis.call('GET', KEYS[1]), redis.call('XREVRANGE', KEYS[2], '+', ARGV[1]) }
