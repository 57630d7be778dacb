-- Stores a subscription to a table's notices, replacing one with the same id. Includes account.lua.
--
-- KEYS  1 the table   2 its subscriptions   3 its bucket's notices   4 the account
-- ARGV  1 table id   2 subscription's id   3 subscription   4 maximum for a table   5 maximum for a seat
--       6 seconds for which subscriptions outlast their table   7 the account's field; empty if nothing is counted
-- Returns 1 if stored, 0 without a table, -1 if the table has too many, -2 if the seat has too many.

-- Bytes counted for a subscription's waiting notices and latest deliveries.
local NOTICES = 2048

local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  return 0
end
local found = redis.pcall('HGETALL', KEYS[2])
if found.err then
  redis.call('DEL', KEYS[2])
  found = {}
end
local all, own = 0, 0
for i = 1, #found, 2 do
  if found[i] ~= 'turn' and found[i] ~= ARGV[2] then
    all = all + 1
    if found[i + 1]:sub(1, 32) == ARGV[3]:sub(1, 32) then
      own = own + 1
    end
  end
end
if own >= tonumber(ARGV[5]) then
  return -2
end
if all >= tonumber(ARGV[4]) then
  return -1
end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
redis.call('HSETNX', KEYS[2], 'turn', redis.call('GETRANGE', KEYS[1], 0, 7))
redis.call('PEXPIRE', KEYS[2], left + ARGV[6] * 1000)
local time = redis.call('TIME')
if ARGV[7] ~= '' then
  hold(KEYS[4], ARGV[7], usage(KEYS[2], 1024) + (all + 1) * NOTICES, math.ceil(time[1] + left / 1000 + ARGV[6]))
end
redis.call('ZADD', KEYS[3], string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + left), ARGV[1])
return 1
