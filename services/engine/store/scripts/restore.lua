-- Makes a table due if its deadline is lost or much too late; does nothing if a clock will wake it soon anyway.
--
-- KEYS  1 the bucket's deadlines   2 the table
-- ARGV  1 table id   2 time now   3 latest time at which a clock may wake it anyway   4 version that was found overdue, 8 bytes
-- Returns 1 when the table was made due, else 0.

local wake = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or nil)
if wake and wake <= tonumber(ARGV[3]) or redis.call('GETRANGE', KEYS[2], 0, 7) ~= ARGV[4] then
  return 0
end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
return 1
