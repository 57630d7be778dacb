-- Records a heartbeat of a clock. After an outage (a time without any heartbeat), only one clock gets its length, and must
-- postpone all deadlines. Until then the other clocks are on hold. If that clock dies, another one gets the length.
--
-- Includes epoch.lua.
--
-- KEYS  1 hash: at (last heartbeat), gap (length of the outage), nonce (of the heartbeat that got the gap), holder (the clock that
--       got it), till (when its hold ends)
-- ARGV  1 current time   2 end of a hold that starts now   3 minimum milliseconds of an outage   4 the clock's id
--       5 nonce of this heartbeat   6 known run id   7 last heartbeat of this engine   8 as argument 3 of verify.lua
-- Returns { milliseconds since the last heartbeat, 1 if this clock is on hold, else 0,
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
-- The engines' measurements of Redis' time differ slightly. The latest one counts.
if now >= at then
  redis.call('HSET', KEYS[1], 'at', ARGV[1])
end
return { gap, (holder and holder ~= ARGV[4]) and 1 or 0, floor, run, time[1], time[2] }
