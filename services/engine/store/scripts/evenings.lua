-- Helpers of scripts that change a table's evening. It is a hash with subscriptions by id, and these fields: owner (digest of the
-- setter's token), set (time in milliseconds, and game), the notices by kind, over (when the last match ended, in
-- milliseconds), group (the client who opened the table).

local KINDS = { 'i', 'e' }
-- Milliseconds for which the hash is kept after an evening, and after the last match.
local AFTER_EVENING, AFTER_MATCH = 86400000, 35 * 86400000

local function milliseconds()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Removes the notices of the current evening, for one subscription or all. Returns all fields.
local function remove_notices(evening, notices, id)
  local found = redis.call('HGETALL', evening)
  local set, ids = {}, {}
  for i = 1, #found, 2 do
    set[found[i]] = found[i + 1]
    -- Only subscriptions have fields of 22 characters.
    if #found[i] == 22 and (not id or found[i] == id) then
      ids[#ids + 1] = found[i]
    end
  end
  for _, kind in ipairs(KINDS) do
    for _, each in ipairs(set[kind] and ids or {}) do
      redis.call('ZREM', notices, each .. set[kind])
    end
  end
  return found
end

-- Sets the expiry: a day after the evening, 35 days after the last match, or `least`, whichever is latest. Returns it.
local function keep(evening, least)
  local found = redis.call('HMGET', evening, 'set', 'over')
  local at, over = tonumber((found[1] or ''):match('^%d+')), tonumber(found[2] or nil)
  local till = math.max(least, at and at + AFTER_EVENING or 0, over and over + AFTER_MATCH or 0)
  redis.call('PEXPIREAT', evening, string.format('%.0f', till))
  return till
end

-- Counts the bytes of the hash in the account, including the notices that it may have.
local function weigh_evening(account, part, evening, till)
  local notices = #KINDS * redis.call('HLEN', evening)
  hold(account, part, usage(evening, 1024) + notices * 250, math.ceil(till / 1000))
end
