import { defineErrors } from '@minions/core'

/** Every code that this package throws, with its meaning. Codes shared with core have the same meaning there. */
export const REDIS_ERROR_CODES = {
  VALIDATION_FAILED: 'An option is not valid; the message says which.',
  REDIS_UNREACHABLE: 'Redis did not answer in time, or not within the life of a message.',
  REDIS_REFUSED: 'Redis refused the credentials, or a command that the user of the connection may not run.',
  REDIS_UNSUPPORTED: 'The server is older than Redis 7, or is not a Redis.',
  REDIS_EVICTS: 'The server may delete keys to free memory, so messages would be lost.',
  REDIS_FULL: 'The memory of Redis is used up; the message was not delivered anywhere.',
  REDIS_FAILED: 'Redis answered a command with an error; the cause is attached.',
  PREFIX_IN_USE: 'Another cluster uses the same key prefix on the same Redis.',
  MESSAGE_TOO_LARGE: 'A message is larger than `maxMessageBytes`.',
  BACKLOG_FULL: 'Too many messages are waiting for delivery, as when Redis is unavailable for long.',
  LIMIT_REACHED: 'A shared limit has no capacity.',
  RATE_LIMITED: 'A shared rate is used up; `details.msBeforeNext` says for how long.',
  CLOSED: 'The connection was closed.',
}
export type RedisErrorCode = keyof typeof REDIS_ERROR_CODES

export const redisError = defineErrors(REDIS_ERROR_CODES)
