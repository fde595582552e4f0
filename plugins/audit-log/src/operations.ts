import { type Minion, MinionsError } from '@minions/core'
import { type Operation, operationsWith, property } from '@minions/core/operations'
import { MinionSchema } from '@minions/core/schema'
import { Type } from 'typebox'
import { AuditEntrySchema } from './entry.js'
import { auditLogRef } from './ref.js'

const operation = operationsWith({ log: auditLogRef })

const id = property.text('Id of a minion, even of one that was removed.', 'note-1', { minLength: 1 })

const given = [
  ['objects.create', { type: 'note', id: 'note-1', title: 'Draft', fields: { content: 'One' } }],
  ['objects.update', { id: 'note-1', title: 'Final' }],
] as const

const history = operation({
  name: 'audit.history',
  summary: 'List everything that happened to a minion, oldest first',
  access: 'read',
  input: { id },
  output: Type.Array(AuditEntrySchema),
  examples: [{ title: 'A note that was changed', given, input: { id: 'note-1' } }],
  run: (input, { log }) => log.history(input.id),
})

const at = operation({
  name: 'audit.at',
  summary: 'Get a minion as it was at a point in time',
  access: 'read',
  input: { id, time: property.text('A date, or a date and time with its offset.', '2030-01-31T09:00:00Z') },
  output: Type.Unsafe<Minion>(MinionSchema),
  examples: [
    { title: 'A note as it is at the end of the century', given, input: { id: 'note-1', time: '2099-12-31' } },
  ],
  async run(input, { log }) {
    const minion = await log.at(input.id, input.time)
    if (minion) return minion
    const [shownId, time] = [input.id.slice(0, 100), input.time.slice(0, 100)]
    const message = `The log has no minion "${shownId}" at ${time}; see its entries with audit.history.`
    throw new MinionsError('NOT_FOUND', message, { details: { id: shownId, time } })
  },
})

/** Operations on the history of minions. */
export const auditOperations = [history, at] as const satisfies readonly Operation[]
