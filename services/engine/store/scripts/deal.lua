-- Reads the log of a deal. Begins with account.lua and log.lua.
--
-- KEYS  1 the log
-- ARGV  1 the match and the deal, 8 bytes   2 how many of its lines to pass over
-- Returns the lines that follow.

local deal, length = deal_of(ARGV[1]), redis.call('LLEN', KEYS[1])
local first = first_line(KEYS[1], deal, 0, length)
local past = first_line(KEYS[1], deal + 1, first, length)
first = first + tonumber(ARGV[2])
return first < past and redis.call('LRANGE', KEYS[1], first, past - 1) or {}
