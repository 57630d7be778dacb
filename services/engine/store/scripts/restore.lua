-- Makes a table due if its deadline is lost or much too late. Does nothing if a clock will wake it soon anyway.
--
-- KEYS  1 the bucket's deadlines   2 the table
-- ARGV  1 table id   2 current time   3 latest deadline that counts as soon   4 version that is overdue, 8 bytes
-- Returns 1 if the table was made due, else 0.

local wake = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or nil)
if wake and wake <= tonumber(ARGV[3]) or redis.call('GETRANGE', KEYS[2], 0, 7) ~= ARGV[4] then
  return 0
end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
return 1
