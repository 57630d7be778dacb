-- Stores what operators have set and the act that has changed it, both or neither.
--
-- KEYS  1 what is set   2 the acts, newest first
-- ARGV  1 version expected, 8 bytes, empty for none   2 new version, 8 bytes, and what is set; empty: only the act
--       3 the act       4 how many acts are kept      5 channel of the notification
-- Returns 1 when stored, 0 when another operator was faster.

-- The same act, sent again because the first reply was lost: no other one has its request's id.
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
