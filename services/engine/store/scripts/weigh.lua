-- What a commit does now and then: at a table's start and end, at a change of the list, and at every so many versions. It stands
-- between commit.lua, whose names it uses, and publish.lua, after account.lua, evenings.lua and log.lua.
--
-- KEYS  10 its bucket's listing   11 its bucket's other listing   12 its bucket's openers of listed tables   13 its evening
--       14 the account of who opened it
-- ARGV  after the log's lines   1 time of listing in the first of the two; empty: in neither
--       2 the client who opened it   3 not empty: nobody sits there any more   4 bytes as which the table counts at least
--       5 bytes in the account beyond which its tables keep less; 0 where nothing is counted

-- Bytes of the log, and the same and the answers of a caller, where its client's tables hold more than that.
local LOG, SHORT_LOG, FEW_ANSWERS = 262144, 8192, 2
-- Bytes that an answer takes besides the snapshot that it has: its key, and its place in the list.
local ANSWER = 400

local listed_at, opener, deserted, least, tight = unpack(ARGV, 13 + ARGV[12])
tight = tonumber(tight)

if listed_at ~= '' then
  write('ZADD', KEYS[10], 'NX', listed_at, ARGV[1])
  write('HSET', KEYS[12], ARGV[1], opener)
else
  write('ZREM', KEYS[10], ARGV[1])
  write('HDEL', KEYS[12], ARGV[1])
end
write('ZREM', KEYS[11], ARGV[1])

if count('HLEN', KEYS[13]) > 0 then
  if deserted ~= '' then
    remove_notices(KEYS[13], KEYS[6])
    redis.call('DEL', KEYS[13])
    if tight > 0 then
      hold(KEYS[14], ARGV[1] .. '.e', 0)
    end
  else
    now = milliseconds()
    if ARGV[11]:sub(1, 1) == 'o' then
      redis.call('HSET', KEYS[13], 'over', string.format('%.0f', now))
    end
    local till = keep(KEYS[13], now + ttl * 1000)
    if tight > 0 then
      weigh_evening(KEYS[14], ARGV[1] .. '.e', KEYS[13], till)
    end
  end
end

-- Keeps the last answers of each caller; returns how many there are.
local function keep_answers(most)
  local all = 0
  for _, answered in ipairs(redis.pcall('LRANGE', KEYS[9], 0, -1)) do
    local kept = count('LLEN', answered)
    for _ = most + 1, kept do
      redis.call('DEL', redis.call('RPOP', answered))
    end
    all = all + math.min(kept, most)
  end
  return all
end

local function weigh(log, answers)
  local bytes = usage(KEYS[1], #ARGV[3]) + usage(KEYS[2], 1024) + log + answers * (ANSWER + #ARGV[3])
  return hold(KEYS[14], ARGV[1], math.max(bytes, least), math.ceil(milliseconds() / 1000) + ttl)
end

redis.call('EXPIRE', KEYS[9], ttl)
local log = shorten(KEYS[3], LOG)
if tight > 0 and weigh(log, keep_answers(KEPT_ANSWERS)) > tight then
  weigh(shorten(KEYS[3], SHORT_LOG), keep_answers(FEW_ANSWERS))
end
