-- Resets the highest token of a key, and remembers that an operator did.
--
-- KEYS     1 counter   2 the token an operator accepted last
-- ARGV     1 token   2 channel   3 what to publish
-- Answers  1

redis.call('SET', KEYS[1], ARGV[1])
redis.call('SET', KEYS[2], ARGV[1])
redis.pcall('PUBLISH', ARGV[2], ARGV[3])
return 1
