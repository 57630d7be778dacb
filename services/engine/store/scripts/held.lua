-- Adds up what a client's tables take in a bucket, without what has expired.
--
-- KEYS  1 the account (account.lua)
-- Returns { bytes, in how many seconds the first part of it expires, 0 for none }

local parts = redis.pcall('HGETALL', KEYS[1])
if parts.err then
  redis.call('DEL', KEYS[1])
  parts = {}
end
local now, all, first, noted = tonumber(redis.call('TIME')[1]), 0, 0, false
for i = 1, #parts, 2 do
  local bytes, till = parts[i + 1]:match('^(%d+) (%d+)$')
  bytes, till = tonumber(bytes), tonumber(till)
  if parts[i] == 'all' then
    noted = tonumber(parts[i + 1])
  elseif not bytes or till <= now then
    redis.call('HDEL', KEYS[1], parts[i])
  else
    all = all + bytes
    first = (first == 0 or till < first) and till or first
  end
end
if noted and noted ~= all then
  redis.call('HSET', KEYS[1], 'all', string.format('%.0f', all))
end
return { all, first > 0 and first - now or 0 }
