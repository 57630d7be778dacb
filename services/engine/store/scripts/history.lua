-- Reads a table and the deltas to its earlier snapshots, atomically.
--
-- KEYS  1 the table   2 its events (stored deltas)
-- Returns { version and snapshot, or false; events, newest first, or none if the key has the wrong type }

local state = redis.call('GET', KEYS[1])
local events = redis.pcall('LRANGE', KEYS[2], 0, -1)
return { state, events.err and {} or events }
