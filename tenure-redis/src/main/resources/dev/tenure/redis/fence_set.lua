-- Sets the key behind fence_guard.lua. Like every SET it drops an expiry that the key had.
redis.call('SET', KEYS[1], ARGV[1])
