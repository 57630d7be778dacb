-- Stores the operators' settings together with the act that changed them.
--
-- KEYS  1 settings   2 acts, newest first
-- ARGV  1 expected version, 8 bytes; empty if there are no settings yet   2 new version, 8 bytes, and settings; empty to store
--       only the act   3 the act   4 maximum number of acts   5 channel of the notification
-- Returns 1 if stored, 0 if another operator was faster.

-- The same act may be sent again if a reply was lost. It contains the id of its request, so no other act is equal.
for _, act in ipairs(redis.call('LRANGE', KEYS[2], 0, 15)) do
  if act == ARGV[3] then
    return 1
  end
end
if ARGV[2] ~= '' then
  if redis.call('GETRANGE', KEYS[1], 0, 7) ~= ARGV[1] then
    return 0
  end
  redis.call('SET', KEYS[1], ARGV[2])
end
redis.call('LPUSH', KEYS[2], ARGV[3])
redis.call('LTRIM', KEYS[2], 0, ARGV[4] - 1)
if ARGV[2] ~= '' then
  redis.call('PUBLISH', ARGV[5], ARGV[2])
end
return 1
