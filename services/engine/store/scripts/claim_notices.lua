-- Claims or removes those of the given notices that are due. A claim is a lease, which expires by itself if the engine dies.
--
-- KEYS  1 the bucket's notices
-- ARGV  1 current time   2 end of the lease; empty to remove   3 … notices
-- Returns the notices that were due. The others have been claimed or sent by another engine.

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
