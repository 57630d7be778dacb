-- Claims due tables of a bucket. A claim is a lease, which expires by itself if the clock that holds it dies.
--
-- KEYS  1 the bucket's deadlines
-- ARGV  1 current time   2 end of the lease   3 maximum number of tables
-- Returns the ids of the claimed tables.

local due = redis.pcall('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
if due.err then
  -- The key has the wrong type, which no release writes. Delete it, so that the bucket's clock continues.
  redis.call('DEL', KEYS[1])
  return {}
end
for _, table_id in ipairs(due) do
  redis.call('ZADD', KEYS[1], ARGV[2], table_id)
end
return due
