-- Reads the floor of versions and the time, on each new connection. Begins with epoch.lua.
--
-- KEYS  1 the hash of heartbeat.lua
-- ARGV  1 run id known   2 last heartbeat   3 newest version known of a table that is below it, or 0
-- Returns { floor, run id, the server's TIME: seconds, microseconds }

local floor, run, time = epoch(KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]))
return { floor, run, time[1], time[2] }
