import { isId } from '@minions/core'
import { guarded, takeOptions } from '@minions/core/plugin'
import { checkObject, checkParts } from '../arguments.js'
import { assertValid, attributeIssue } from '../validation.js'
import type { AgentPresence, MessageBusOptions } from './bus-options.js'
import type { SentMessage } from './message/sent-message.js'

const WHAT = 'The message bus'

/** Throws `VALIDATION_FAILED` unless the sender is an agent; one that has ended may still send. */
export function checkSender({ sender_id }: SentMessage, presence: AgentPresence): void {
  if (presence !== false) return
  const text = `must be an agent or "system"; there is no agent "${sender_id}"`
  assertValid('The message', [attributeIssue('sender_id', 'REFERENCE', text, sender_id)])
}

/** Throws `VALIDATION_FAILED` unless a response belongs to a request. */
export function checkCorrelation(isLinked: boolean): void {
  if (isLinked) return
  const text = 'must be that of a request from its recipient to its sender'
  assertValid('The message', [attributeIssue('correlation_id', 'REFERENCE', text)])
}

/** Throws `VALIDATION_FAILED` if another open request has the same correlation id. */
export function checkFresh({ correlation_id }: SentMessage, isTaken: boolean): void {
  if (!isTaken) return
  const text = 'belongs to another request; omit it, or use a new one'
  assertValid('The message', [attributeIssue('correlation_id', 'UNIQUE', text, correlation_id)])
}

export const checkBusOptions = guarded(WHAT, (given: MessageBusOptions): MessageBusOptions => {
  checkObject(WHAT, given)
  const options = takeOptions(WHAT, given)
  const { mailboxLimit = 1, deadLetterLimit = 0, overflow = 'wait' } = options
  const isWhole = (value: unknown, from: number) => Number.isInteger(value) && (value as number) >= from
  const issue = (field: string, must: string, value: unknown) =>
    attributeIssue(field, 'RANGE', `must be ${must}`, value)
  assertValid(WHAT, [
    ...(isWhole(mailboxLimit, 1) ? [] : [issue('mailboxLimit', 'a whole number from 1', mailboxLimit)]),
    ...(isWhole(deadLetterLimit, 0) ? [] : [issue('deadLetterLimit', 'a whole number from 0', deadLetterLimit)]),
    ...(['wait', 'reject'].includes(overflow) ? [] : [issue('overflow', 'one of wait, reject', overflow)]),
  ])
  checkParts(WHAT, options, {
    agents: 'function',
    runsHere: 'function',
    clock: 'function',
    ids: 'function',
    timers: { method: 'set' },
    logger: { method: 'warn' },
    transport: { method: 'connect' },
    store: { method: 'transaction' },
  })
  return options
})

export function checkAgentId(agentId: unknown): void {
  if (isId(agentId)) return
  assertValid('The call', [attributeIssue('agentId', 'TYPE', 'must be the id of an agent', agentId)])
}
