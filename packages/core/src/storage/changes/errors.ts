import { coreError } from '../../errors/codes.js'
import { guarded } from '../../errors/guard.js'
import { quote } from '../../errors/quote.js'

const REMEDY =
  'Take a new cursor with `since: "now"`, read the current records, and continue from that cursor; or keep changes ' +
  'for longer with the option `changes` of the backend.'

/** The cursor is older than what the feed keeps, or the store was replaced by an older copy of itself. */
export const changesExpired = guarded('changesExpired', (reason: 'removed' | 'replaced', cause?: unknown): Error => {
  const message =
    reason === 'removed'
      ? 'The change feed no longer reaches back to this cursor: changes after it were removed.'
      : 'The change feed does not contain the change of this cursor: the store was replaced, or restored from a backup.'
  return coreError('CHANGES_EXPIRED', `${message} ${REMEDY}`, {
    details: { reason },
    ...(cause !== undefined && { cause }),
  })
})

/** The cursor does not come from this feed. */
export const invalidPosition = guarded('invalidPosition', (position: unknown): Error => {
  return coreError(
    'INVALID_CURSOR',
    `${quote(position)} is not a cursor of the change feed; pass "now", "start", or the cursor of a change.`,
  )
})
