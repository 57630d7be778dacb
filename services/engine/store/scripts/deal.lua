-- Reads the log of a deal. Includes account.lua and log.lua.
--
-- KEYS  1 the log
-- ARGV  1 match and deal, 8 bytes   2 number of lines to skip
-- Returns the remaining lines.

local deal, length = deal_of(ARGV[1]), redis.call('LLEN', KEYS[1])
local first = first_line(KEYS[1], deal, 0, length)
local past = first_line(KEYS[1], deal + 1, first, length)
first = first + tonumber(ARGV[2])
return first < past and redis.call('LRANGE', KEYS[1], first, past - 1) or {}
