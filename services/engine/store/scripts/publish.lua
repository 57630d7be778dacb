-- End of a commit: notifies the table's followers. Follows commit.lua, whose variables it uses.

redis.call('PUBLISH', ARGV[7], ARGV[3])
return noticed and 2 or 1
