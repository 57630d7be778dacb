-- Part of some commits (at a table's start and end, when its listing changes, and every few versions): updates listings, evening
-- and storage. Follows account.lua, evenings.lua, log.lua and commit.lua, whose variables it uses; publish.lua comes next.
--
-- KEYS  10 the bucket's listing   11 its other listing   12 its openers of listed tables   13 the table's evening
--       14 the account of the client who opened it
-- ARGV  after the log lines   1 time of listing in the first listing; empty for none
--       2 group of the client who opened the table   3 not empty if nobody has a seat any more   4 minimum bytes to count
--       5 bytes in the account above which its tables keep less; 0 if nothing is counted

-- LOG: maximum bytes of the log. SHORT_LOG, FEW_ANSWERS: maximum log bytes, and answers per caller, of tables that keep less.
local LOG, SHORT_LOG, FEW_ANSWERS = 262144, 8192, 2
-- Bytes counted for an answer in addition to its snapshot: its key, and its entry in the list.
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

-- Keeps the latest answers of each caller. Returns the number of all answers.
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
