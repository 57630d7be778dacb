-- Adds up the storage that a client's tables use in a bucket, and removes expired parts.
--
-- KEYS  1 the account (account.lua)
-- Returns { bytes, seconds until the first part expires or 0 if there is none }

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
