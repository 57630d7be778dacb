-- What a client's tables take in Redis: a hash for each group of clients and bucket. Scripts that change it begin with this one.
--
-- Its fields: a table's id, for the table with its earlier versions, log and answers; with .s its subscriptions, with .e its
-- evening. Each has the bytes and the second at which they expire. all: the sum, in which what has expired may still be, until
-- held.lua looks.

-- Bytes of a field, and of the table's members in the bucket's sets.
local ENTRY = 300

-- Returns the bytes of a key; where the server cannot tell, as the embedded one cannot, another number.
local function usage(key, otherwise)
  local bytes = redis.pcall('MEMORY', 'USAGE', key)
  if type(bytes) == 'table' then
    return otherwise
  end
  return bytes or 0
end

-- Returns how many elements a key has; one with another type of value, which no release wrote, is deleted.
local function count(command, key)
  local found = redis.pcall(command, key)
  if type(found) == 'table' then
    redis.call('DEL', key)
    return 0
  end
  return found
end

-- Notes what a part of a table takes until a second, nothing for 0 bytes. Returns what all parts take.
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
