import { NOW } from '../cluster/scripts.js'

/**
 * Counts one use of KEYS[1] within a window of ARGV[1] milliseconds. Answers the count and what remains of the window.
 * A count is created with its expiry, since Redis does not roll back a failed script, and a count without one would
 * last forever.
 */
export const COUNT_USE = `
redis.call('SET', KEYS[1], 0, 'PX', ARGV[1], 'NX')
local count = redis.call('INCR', KEYS[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return {count, redis.call('PTTL', KEYS[1])}
`

/** Takes one of ARGV[2] slots of KEYS[1] for the holder ARGV[1], or keeps it, for ARGV[3] milliseconds; 0 if all are taken. */
export const TAKE_SLOT = `${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[3], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[3] * 2)
return 1
`
