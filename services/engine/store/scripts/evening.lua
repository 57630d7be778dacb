-- Sets the next evening of a table's people (when they meet to play), and writes its notices for all subscribers, replacing the
-- notices of the previous evening. Includes account.lua and evenings.lua.
--
-- KEYS  1 the table's evening   2 its bucket's notices   3 the table   4 the account
-- ARGV  1 digest of the setter's token   2 the evening; empty for none   3 the account's field; empty if nothing is counted
--       4 group of the client who opened the table
--       5 … two for each notice: its kind, and the time when it is due (13 digits) with its content
-- Returns 1 if the evening was set, 0 if it was the same already.

if redis.call('HGET', KEYS[1], 'set') == ARGV[2] then
  return 0
end
local found = remove_notices(KEYS[1], KEYS[2])
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'set', ARGV[2], 'group', ARGV[4])
redis.call('HDEL', KEYS[1], unpack(KINDS))
for i = 5, #ARGV, 2 do
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
  for j = 1, #found, 2 do
    if #found[j] == 22 and found[j + 1]:sub(34, 36):find(ARGV[i], 1, true) then
      redis.call('ZADD', KEYS[2], ARGV[i + 1]:sub(1, 13), found[j] .. ARGV[i + 1])
    end
  end
end
local till = keep(KEYS[1], milliseconds() + math.max(0, redis.call('PTTL', KEYS[3])))
if ARGV[3] ~= '' then
  weigh_evening(KEYS[4], ARGV[3], KEYS[1], till)
end
return 1
