-- The present record.
--
-- KEYS     1 record
-- Answers  {'free'} or {'held', ms left, type, {field, value, ...}}   ms left is -1 if the record has no end

local held = redis.call('TYPE', KEYS[1]).ok
if held == 'none' then
  return {'free'}
end
local fields = {}
if held == 'hash' then
  fields = redis.call('HGETALL', KEYS[1])
end
return {'held', redis.call('PTTL', KEYS[1]), held, fields}
