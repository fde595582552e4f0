import { defineErrors } from '@minions/core'

/** Every code this package throws, with what it means. Codes that core has too mean the same there. */
export const BULLMQ_ERROR_CODES = {
  VALIDATION_FAILED: 'An option is not valid; the message says which.',
  QUEUE_UNREACHABLE: 'The Redis or PostgreSQL of BullMQ did not answer in time.',
  QUEUE_REFUSED: 'The Redis or PostgreSQL of BullMQ refused the credentials.',
  QUEUE_SERVER_FULL: 'The Redis of BullMQ is out of memory.',
  PREFIX_IN_USE: 'Jobs of another store wait under the same prefix.',
}
export type BullmqErrorCode = keyof typeof BULLMQ_ERROR_CODES

export const bullmqError = defineErrors(BULLMQ_ERROR_CODES)
