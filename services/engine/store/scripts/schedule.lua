-- Sets or removes the time at which the clock wakes a table.
--
-- KEYS  1 the bucket's deadlines   2 the table
-- ARGV  1 table id   2 time to wake; empty: never
--       3 version for which this time holds, 8 bytes; empty: whatever the version
-- Returns 1 when done, 0 when the table is at another version: its commit has set the time.

if ARGV[3] ~= '' and redis.call('GETRANGE', KEYS[2], 0, 7) ~= ARGV[3] then
  return 0
end
if ARGV[2] ~= '' then
  redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
else
  redis.call('ZREM', KEYS[1], ARGV[1])
end
return 1
