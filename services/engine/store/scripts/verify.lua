-- Reads the floor of versions and the time, on each new connection. Includes epoch.lua.
--
-- KEYS  1 the hash of heartbeat.lua
-- ARGV  1 known run id   2 last heartbeat of this engine   3 a version that it knew of a table that is now older, or 0
-- Returns { floor, run id, the server's TIME: seconds, microseconds }

local floor, run, time = epoch(KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]))
return { floor, run, time[1], time[2] }
