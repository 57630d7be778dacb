-- Claims due tables of a bucket. A claim is a lease: it ends by itself if the clock that took it dies.
--
-- KEYS  1 the bucket's deadlines
-- ARGV  1 time now   2 end of the lease   3 how many at most
-- Returns the ids of the tables claimed.

local due = redis.pcall('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
if due.err then
  -- The key holds another type of value, which no release wrote: the bucket's clock must go on.
  redis.call('DEL', KEYS[1])
  return {}
end
for _, table_id in ipairs(due) do
  redis.call('ZADD', KEYS[1], ARGV[2], table_id)
end
return due
