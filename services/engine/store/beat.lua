-- Records a beat of the clocks, and tells one of them when none has beaten for too long: an outage.
-- Until that one has made up for the outage, the others are held; should it die, another one is told.
--
-- KEYS  1 hash: at (last beat), gap, nonce (of the beat that was told), holder (who was told), till (when its hold ends)
-- ARGV  1 time now   2 end of a hold that starts now   3 milliseconds that make an outage   4 who beats   5 nonce of this beat
-- Returns { milliseconds since the last beat, 1 if the one who beats is held, else 0 }

local beat = redis.call('HMGET', KEYS[1], 'at', 'gap', 'nonce', 'holder', 'till')
local now, at, till = tonumber(ARGV[1]), tonumber(beat[1] or ARGV[1]), tonumber(beat[5] or 0)
local gap, nonce, holder = math.max(0, now - at), beat[3], beat[4]

local told = nonce == ARGV[5]
local orphaned = holder and holder ~= ARGV[4] and till <= now
if gap <= tonumber(ARGV[3]) and (told or orphaned) then
  gap = tonumber(beat[2])
end
if gap > tonumber(ARGV[3]) then
  holder = ARGV[4]
  redis.call('HSET', KEYS[1], 'gap', string.format('%.0f', gap), 'nonce', ARGV[5], 'holder', holder)
end

if holder == ARGV[4] then
  redis.call('HSET', KEYS[1], 'till', ARGV[2])
end
-- Clocks differ a little from machine to machine: the furthest one counts.
if now >= at then
  redis.call('HSET', KEYS[1], 'at', ARGV[1])
end
return { gap, (holder and holder ~= ARGV[4]) and 1 or 0 }
