-- Stores a subscription to a table's evenings, and writes those notices of the current evening that are not due yet. Includes
-- account.lua and evenings.lua.
--
-- KEYS  1 the table's evening   2 its bucket's notices   3 the table   4 the account
-- ARGV  1 subscription's id   2 subscription   3 the account's field; empty if nothing is counted
--       4 group of the client who opened the table   5 not empty if a match was finished at the table

redis.call('HSET', KEYS[1], ARGV[1], ARGV[2], 'group', ARGV[4])
local now = milliseconds()
if ARGV[5] ~= '' then
  redis.call('HSETNX', KEYS[1], 'over', string.format('%.0f', now))
end
for _, kind in ipairs(KINDS) do
  local notice = redis.call('HGET', KEYS[1], kind)
  if notice and ARGV[2]:sub(34, 36):find(kind, 1, true) and tonumber(notice:sub(1, 13)) > now then
    redis.call('ZADD', KEYS[2], notice:sub(1, 13), ARGV[1] .. notice)
  end
end
local till = keep(KEYS[1], now + math.max(0, redis.call('PTTL', KEYS[3])))
if ARGV[3] ~= '' then
  weigh_evening(KEYS[4], ARGV[3], KEYS[1], till)
end
return 1
