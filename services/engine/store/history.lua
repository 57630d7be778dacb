-- Reads a table and the way back to its earlier snapshots, as one.
--
-- KEYS  1 the table   2 its events
-- Returns { version and snapshot, or false; the events, newest first }

return { redis.call('GET', KEYS[1]), redis.call('LRANGE', KEYS[2], 0, -1) }
