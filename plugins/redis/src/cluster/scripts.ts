/**
 * What must happen at once in Redis. Keys are `<base>:members` (who is there, by the deadline of the next sign of life),
 * `<base>:cluster` (whose prefix it is) and `<base>:inbox:<member>` (what was sent to it). All times are those of Redis.
 *
 * Scripts are sent whole each time: after a restart Redis knows none by its hash, and sending one again then would change the
 * order of messages.
 */

export const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

/** Shared by all scripts: ARGV[1] is the base of all keys, ARGV[2] the member that calls. */
const NAMES = `
local base, self = ARGV[1], ARGV[2]
local members = KEYS[1]
local function inbox(member) return base .. ':inbox:' .. member end
`

/**
 * Joins (ARGV[5] is '1', ARGV[6] the name under which the member was there before) or sends a heartbeat. ARGV[3] is its
 * validity in milliseconds, ARGV[4] the cluster. Answers `ok`, the time and all members; `foreign` and the cluster that
 * has the prefix; or `lost` when Redis does not know the member any more.
 *
 * It writes however full Redis is: a process must not seem dead because there is no memory for new messages.
 */
export const SIGN_OF_LIFE = `#!lua flags=allow-oom
${NAMES}${NOW}
local ttl, cluster, isJoining, before = tonumber(ARGV[3]), ARGV[4], ARGV[5] == '1', ARGV[6]
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', members, '-inf', now)) do
  redis.call('ZREM', members, gone)
  redis.call('DEL', inbox(gone))
end
local owner = redis.call('GET', KEYS[2])
if owner and owner ~= cluster then return {'foreign', owner} end
if isJoining then
  if before ~= '' then
    redis.call('ZREM', members, before)
    redis.call('DEL', inbox(before))
  end
  redis.call('XADD', inbox(self), '*', 'f', '')
elseif not redis.call('ZSCORE', members, self) or redis.call('EXISTS', inbox(self)) == 0 then
  return {'lost'}
end
redis.call('SET', KEYS[2], cluster, 'PX', ttl)
redis.call('ZADD', members, now + ttl, self)
redis.call('PEXPIRE', members, ttl * 2)
redis.call('PEXPIRE', inbox(self), ttl * 2)
local answer = {'ok', now}
for _, member in ipairs(redis.call('ZRANGE', members, 0, -1)) do answer[#answer + 1] = member end
return answer
`

/**
 * Puts ARGV[4] into the inbox of every other member (ARGV[3] is '*') or of the one whose id ARGV[3] is. Answers `ok`
 * and the receivers, or `lost`. Refused as a whole if Redis is full.
 */
export const SEND = `#!lua
${NAMES}${NOW}
if not redis.call('ZSCORE', members, self) then return {'lost'} end
local to, sent = ARGV[3], {'ok'}
for _, member in ipairs(redis.call('ZRANGEBYSCORE', members, now, '+inf')) do
  local isMeant = to == '*' and member ~= self or string.sub(member, 1, #to + 1) == to .. ':'
  if isMeant then
    redis.call('XADD', inbox(member), '*', 'f', ARGV[4])
    sent[#sent + 1] = member
  end
end
return sent
`

/** Like SEND to one member, but even if Redis is full: deliveries must be acknowledged, or they are sent again. */
export const ACKNOWLEDGE = SEND.replace('#!lua', '#!lua flags=allow-oom')

export const LEAVE = `#!lua flags=allow-oom
${NAMES}
redis.call('ZREM', members, self)
redis.call('DEL', inbox(self))
if redis.call('ZCARD', members) == 0 then redis.call('DEL', KEYS[2]) end
return 1
`
