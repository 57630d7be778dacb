-- Sets or removes a table's wake time.
--
-- KEYS  1 the bucket's deadlines   2 the table
-- ARGV  1 table id   2 wake time; empty for never
--       3 version that the table must have, 8 bytes; empty for any version
-- Returns 1 if done, 0 if the table has another version, whose commit has set the time.

if ARGV[3] ~= '' and redis.call('GETRANGE', KEYS[2], 0, 7) ~= ARGV[3] then
  return 0
end
if ARGV[2] ~= '' then
  redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
else
  redis.call('ZREM', KEYS[1], ARGV[1])
end
return 1
