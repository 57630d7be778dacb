-- The end of a commit: tells those who follow the table. Stands after commit.lua, whose names it uses.

redis.call('PUBLISH', ARGV[7], ARGV[3])
return noticed and 2 or 1
