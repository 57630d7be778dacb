-- Writes a test notice for a subscription to a table, unless an earlier one is still waiting.
--
-- KEYS  1 the table's subscriptions   2 its bucket's notices   3 the subscription's last test notice
-- ARGV  1 subscription's id   2 the notice's content
-- Returns the time when the waiting notice was written; empty if the subscription does not exist.

if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return ''
end
-- If the key has the wrong type, which no release writes, pcall returns an error table.
local last = redis.pcall('GET', KEYS[3])
if type(last) == 'string' and redis.call('ZSCORE', KEYS[2], last) then
  return last:sub(23, 35)
end
local time = redis.call('TIME')
local at = string.format('%013.0f', time[1] * 1000 + math.floor(time[2] / 1000))
local notice = ARGV[1] .. at .. ARGV[2]
redis.call('ZADD', KEYS[2], at, notice)
redis.call('SET', KEYS[3], notice, 'PX', math.max(1, redis.call('PTTL', KEYS[1])))
return at
