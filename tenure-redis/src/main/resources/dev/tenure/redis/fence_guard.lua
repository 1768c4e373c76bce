-- Stands before a script. Takes the fence's key off KEYS and the token off ARGV, which are then the script's own.
-- Answers "TENURE_FENCED highest" or "TENURE_FENCE_UNUSABLE" as an error, and the script does not begin; or remembers
-- a higher token and goes on.
-- Tokens are compared as doubles, exact up to 2^53, and stored as the text that came.
-- This file is joined to one line, so that the script's lines keep their numbers: a comment has a line of its own.
do
  local fence, token = table.remove(KEYS), table.remove(ARGV)
  local held = redis.pcall('GET', fence)
  if type(held) == 'table' and held.err then
    if string.sub(held.err, 1, 9) == 'WRONGTYPE' then
      return {err = 'TENURE_FENCE_UNUSABLE'}
    end
    return held
  end
  local own, highest = tonumber(token), 0
  if held then
    highest = string.find(held, '^%d+$') and tonumber(held)
    if not highest or highest > 9007199254740992 or string.format('%.0f', highest) ~= held then
      return {err = 'TENURE_FENCE_UNUSABLE'}
    end
  end
  if highest > own then
    return {err = 'TENURE_FENCED ' .. held}
  end
  if highest < own then
    redis.call('SET', fence, token)
  end
end
