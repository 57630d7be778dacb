-- Helpers of scripts that read or shorten a table's log, a list of lines in the order in which they were written. Each line
-- begins with match and deal, 4 bytes each. So the lines of a deal are consecutive, and found by binary search.

-- Returns match and deal at the beginning of a line, as one number.
local function deal_of(line)
  local number = 0
  for i = 1, 8 do
    number = number * 256 + (line:byte(i) or 0)
  end
  return number
end

-- Returns the index of the first line of a deal or a later one, between two indexes.
local function first_line(log, deal, from, to)
  while from < to do
    local middle = math.floor((from + to) / 2)
    if deal_of(redis.call('LINDEX', log, middle)) < deal then
      from = middle + 1
    else
      to = middle
    end
  end
  return from
end

-- Removes the first deals until the log uses at most `most` bytes. A deal that is too long is removed completely. Returns the
-- remaining bytes. Needs account.lua.
local function shorten(log, most)
  local lines = count('LLEN', log)
  local bytes = usage(log, lines * 64)
  if bytes <= most then
    return bytes
  end
  local excess = math.ceil(lines * (1 - most / bytes))
  local last = deal_of(redis.call('LINDEX', log, excess - 1))
  redis.call('LTRIM', log, first_line(log, last + 1, excess, lines), -1)
  return usage(log, redis.call('LLEN', log) * 64)
end
