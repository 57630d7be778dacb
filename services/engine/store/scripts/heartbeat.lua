-- Records a heartbeat of a clock. After an outage (a time without any heartbeat), returns its length to one clock only.
-- Until that clock has postponed all deadlines, the others are held; if it dies, another one gets the length.
--
-- Begins with epoch.lua.
--
-- KEYS  1 hash: at (last heartbeat), gap, nonce (of the heartbeat that got the gap), holder (the clock that got it), till (when its hold ends)
-- ARGV  1 time now   2 end of a hold that starts now   3 milliseconds that make an outage   4 the clock   5 nonce of this heartbeat
--       6 run id known   7 last heartbeat   8 as in verify.lua
-- Returns { milliseconds since the last heartbeat, 1 if this clock is held, else 0,
--           the floor of versions, the run id, the server's TIME: seconds, microseconds }

local floor, run, time = epoch(KEYS[1], ARGV[6], tonumber(ARGV[7]), tonumber(ARGV[8]))
local heartbeat = redis.call('HMGET', KEYS[1], 'at', 'gap', 'nonce', 'holder', 'till')
local now = tonumber(ARGV[1])
local at, till = tonumber(heartbeat[1] or now) or now, tonumber(heartbeat[5] or 0) or 0
local gap, nonce, holder = math.max(0, now - at), heartbeat[3], heartbeat[4]

local repeated = nonce == ARGV[5]
local orphaned = holder and holder ~= ARGV[4] and till <= now
if gap <= tonumber(ARGV[3]) and (repeated or orphaned) then
  gap = tonumber(heartbeat[2] or 0) or 0
end
if gap > tonumber(ARGV[3]) then
  holder = ARGV[4]
  redis.call('HSET', KEYS[1], 'gap', string.format('%.0f', gap), 'nonce', ARGV[5], 'holder', holder)
end

if holder == ARGV[4] then
  redis.call('HSET', KEYS[1], 'till', ARGV[2])
end
-- The engines' measurements of the time differ a little: the latest counts.
if now >= at then
  redis.call('HSET', KEYS[1], 'at', ARGV[1])
end
return { gap, (holder and holder ~= ARGV[4]) and 1 or 0, floor, run, time[1], time[2] }
