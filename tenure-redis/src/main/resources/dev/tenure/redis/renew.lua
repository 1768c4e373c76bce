-- Prolongs claims, each on its own: what is wrong with one record spoils no other.
--
-- KEYS     records
-- ARGV     for each record: incarnation, token, lease in ms
-- Answers  for each record: 1 renewed, 0 not the holder, or an error as text

local answers = {}
for i, record in ipairs(KEYS) do
  local incarnation, token, lease = ARGV[3 * i - 2], ARGV[3 * i - 1], ARGV[3 * i]
  local own = redis.pcall('HMGET', record, 'v', 'incarnation', 'token')
  if own.err then
    answers[i] = own.err
  elseif own[1] ~= '1' or own[2] ~= incarnation or own[3] ~= token then
    -- Writes nothing, but only where writing is allowed: a replica's old data do not end a term.
    local writable = redis.pcall('HDEL', record, 'tenure:none')
    answers[i] = type(writable) == 'table' and writable.err or 0
  else
    local left = redis.pcall('PTTL', record)
    if type(left) == 'table' then
      answers[i] = left.err
    else
      local prolonged = 1
      if left < tonumber(lease) then -- an end never moves back
        prolonged = redis.pcall('PEXPIRE', record, lease)
      end
      answers[i] = type(prolonged) == 'table' and prolonged.err or 1
    end
  end
end
return answers
