-- Ends the hold of a clock that has postponed all deadlines after an outage.
--
-- KEYS  1 the hash of heartbeat.lua
-- ARGV  1 the clock's id
-- Returns 1 if this clock had the hold, else 0.

if redis.call('HGET', KEYS[1], 'holder') ~= ARGV[1] then
  return 0
end
redis.call('HDEL', KEYS[1], 'holder', 'till')
return 1
