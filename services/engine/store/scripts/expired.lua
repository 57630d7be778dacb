-- If a table has expired, writes the notice of its end for all subscribers; otherwise schedules the next check for its expiry.
--
-- KEYS  1 the table   2 its subscriptions   3 its bucket's notices
-- ARGV  1 table id   2 the notice's content
-- Returns 1 if notices were written, else 0.

if not redis.call('ZSCORE', KEYS[3], ARGV[1]) then
  return 0
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local left = redis.call('PTTL', KEYS[1])
if left >= 0 then
  redis.call('ZADD', KEYS[3], string.format('%.0f', now + left), ARGV[1])
  return 0
end
redis.call('ZREM', KEYS[3], ARGV[1])
if left == -1 then
  return 0
end
local found, at = redis.pcall('HGETALL', KEYS[2]), string.format('%013.0f', now)
for i = 1, #found, 2 do
  if found[i] ~= 'turn' and found[i + 1]:sub(34, 36):find('c', 1, true) then
    redis.call('ZADD', KEYS[3], at, found[i] .. at .. ARGV[2])
  end
end
return 1
