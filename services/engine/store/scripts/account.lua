-- Counts the storage that a client's tables use in a bucket, in a hash for each group of clients. Included in scripts that
-- change it.
--
-- Fields: a table's id (the table with earlier versions, log and answers), the id with .s (its subscriptions), or with .e (its
-- evening). Each value is the bytes used, and the second at which they expire. The field `all` is the sum; it may include
-- expired parts until held.lua runs.

-- Bytes counted for a field itself, and for the table's members in the bucket's sets.
local ENTRY = 300

-- Returns the bytes used by a key, or `otherwise` if the server (the embedded one) cannot measure them.
local function usage(key, otherwise)
  local bytes = redis.pcall('MEMORY', 'USAGE', key)
  if type(bytes) == 'table' then
    return otherwise
  end
  return bytes or 0
end

-- Returns the number of elements of a key. A key of the wrong type, which no release writes, is deleted.
local function count(command, key)
  local found = redis.pcall(command, key)
  if type(found) == 'table' then
    redis.call('DEL', key)
    return 0
  end
  return found
end

-- Records the bytes that a part uses until a second; 0 bytes remove the part. Returns the sum of all parts.
local function hold(account, part, bytes, till)
  local stored = count('HLEN', account) > 0 and redis.call('HGET', account, part)
  local before, after = tonumber((stored or '0'):match('^%d+')), 0
  if bytes > 0 then
    after = bytes + ENTRY
    redis.call('HSET', account, part, string.format('%.0f %.0f', after, till))
  elseif stored then
    redis.call('HDEL', account, part)
  end
  local all = redis.call('HINCRBY', account, 'all', string.format('%.0f', after - before))
  if bytes > 0 and redis.call('TTL', account) < till - redis.call('TIME')[1] then
    redis.call('EXPIREAT', account, string.format('%.0f', till))
  end
  return all
end
