-- Frees whatever record is there, now. The holder believes in it until its next renewal.
--
-- KEYS     1 record   2 counter
-- ARGV     1 channel   2 what to publish
-- Answers  1 freed, 0 no record

local token = redis.pcall('HGET', KEYS[1], 'token')
local granted = type(token) == 'string' and tonumber(token) or 0
local highest = tonumber(redis.pcall('GET', KEYS[2])) or 0
if highest < granted then -- it was lost meanwhile
  redis.pcall('SET', KEYS[2], token)
end
local freed = redis.call('DEL', KEYS[1])
if freed == 1 then
  redis.pcall('PUBLISH', ARGV[1], ARGV[2])
end
return freed
