-- Claims due tables of a bucket. A claim is a lease: whoever takes it and dies loses it when it ends.
--
-- KEYS  1 the bucket's deadlines
-- ARGV  1 time now   2 end of the lease   3 how many at most
-- Returns the ids of the tables claimed.

local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, table_id in ipairs(due) do
  redis.call('ZADD', KEYS[1], ARGV[2], table_id)
end
return due
