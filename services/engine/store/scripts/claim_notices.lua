-- Claims those of some notices that are due, or removes them. A claim is a lease: it ends by itself if the engine dies.
--
-- KEYS  1 the bucket's notices
-- ARGV  1 time now   2 end of the lease; empty: remove   3 … notices
-- Returns those that were due: others have been claimed, or sent, by somebody else.

local found = {}
for i = 3, #ARGV do
  local due = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if due and tonumber(due) <= tonumber(ARGV[1]) then
    if ARGV[2] == '' then
      redis.call('ZREM', KEYS[1], ARGV[i])
    else
      redis.call('ZADD', KEYS[1], ARGV[2], ARGV[i])
    end
    found[#found + 1] = ARGV[i]
  end
end
return found
