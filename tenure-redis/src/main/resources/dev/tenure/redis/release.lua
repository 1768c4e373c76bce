-- Frees a key if it is this claim's, by incarnation and token in one step, and tells who waits.
--
-- KEYS     1 record   2 counter
-- ARGV     1 incarnation   2 token, 0 if its grant was never answered   3 channel   4 what to publish
-- Answers  1 freed, 0 not the holder

local own = redis.call('HMGET', KEYS[1], 'v', 'incarnation', 'token')
if own[1] ~= '1' or own[2] ~= ARGV[1] or (ARGV[2] ~= '0' and own[3] ~= ARGV[2]) then
  return 0
end
local highest = tonumber(redis.pcall('GET', KEYS[2])) or 0
if highest < tonumber(own[3]) then -- it was lost meanwhile
  redis.pcall('SET', KEYS[2], own[3])
end
redis.call('DEL', KEYS[1])
redis.pcall('PUBLISH', ARGV[3], ARGV[4]) -- a hint: without the permission for it the key is free all the same
return 1
