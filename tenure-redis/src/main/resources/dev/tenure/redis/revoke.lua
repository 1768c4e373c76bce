-- Takes the record from its holder and keeps its end: renewals are refused, nobody is let in early.
--
-- KEYS     1 record
-- ARGV     1 channel   2 what to publish
-- Answers  1 revoked, 0 no record

local held = redis.call('TYPE', KEYS[1]).ok
if held == 'none' then
  return 0
end
if held == 'hash' then -- another type is nobody's already
  redis.call('HSET', KEYS[1], 'incarnation', 'revoked')
end
redis.pcall('PUBLISH', ARGV[1], ARGV[2])
return 1
