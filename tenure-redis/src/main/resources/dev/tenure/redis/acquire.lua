-- Grants a key if it is free, or again to the incarnation that has it.
--
-- KEYS     1 record, a hash with a TTL   2 counter: the highest token of the key   3 the token an operator accepted last
-- ARGV     1 incarnation   2 lease in ms   3 the highest token that the asker has seen, 0 if none   4 formula | counter
--          5 ... fields of the record and their values
-- Answers  {'granted', token, accepted}
--          {'denied', ms left, type, {field, value, ...}}   ms left is -1 if the record has no end
--          {'implausible', token, store time in µs}
--          {'damaged', type}                                the counter holds something else

local record, counter, mark = KEYS[1], KEYS[2], KEYS[3]
local incarnation, lease, floor, mode = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]

-- Lua's numbers are doubles: tostring would print tokens as 1.7e+15.
local function digits(number)
  return string.format('%.0f', number)
end

-- The number that a key holds: 0 if there is none, -1 if it holds something else.
local function number_at(key)
  if redis.call('TYPE', key).ok == 'none' then
    return 0
  end
  local text = redis.pcall('GET', key)
  if type(text) ~= 'string' or not text:match('^%d+$') then
    return -1
  end
  return math.min(tonumber(text), 2 ^ 53) -- what is more is implausible all the same
end

local accepted = math.max(0, number_at(mark))

local held = redis.call('TYPE', record).ok
if held == 'hash' then
  local own = redis.call('HMGET', record, 'v', 'incarnation', 'token')
  if own[1] == '1' and own[2] == incarnation then
    if redis.call('PTTL', record) < lease then -- an end never moves back
      redis.call('PEXPIRE', record, ARGV[2])
    end
    return {'granted', own[3], digits(accepted)}
  end
  return {'denied', redis.call('PTTL', record), held, redis.call('HGETALL', record)}
elseif held ~= 'none' then
  return {'denied', redis.call('PTTL', record), held, {}}
end

local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]

local function implausible(token)
  return token >= 2 ^ 53 or (mode == 'formula' and token > micros + 86400000000)
end

local stored = number_at(counter)
if stored < 0 then
  return {'damaged', redis.call('TYPE', counter).ok}
end
if accepted > 0 and implausible(floor) then
  floor = 0 -- its asker would never be granted, and so never learn what was accepted
end
local known = math.max(stored, floor)
if implausible(known) then
  return {'implausible', digits(known), digits(micros)}
end

local token = known + 1
if mode == 'formula' then
  token = math.max(token, micros)
end
token = digits(token)
redis.call('SET', counter, token) -- first: were there no room, nothing would be written
redis.call('PEXPIRE', record, ARGV[2]) -- of nothing, yet: without the right to do it, no record is made
redis.call('HSET', record, 'v', '1', 'incarnation', incarnation, 'token', token, 'since', digits(micros), unpack(ARGV, 5))
redis.call('PEXPIRE', record, ARGV[2])
return {'granted', token, digits(accepted)}
