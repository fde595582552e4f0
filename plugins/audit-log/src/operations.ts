import { type Minion, MinionsError } from '@minions/core'
import { defineOperation, type Operation } from '@minions/core/operations'
import { MinionSchema } from '@minions/core/schema'
import { Type } from 'typebox'
import { AuditEntrySchema } from './entry.js'
import { auditLogRef } from './ref.js'

const deps = { log: auditLogRef }

const id = Type.String({
  minLength: 1,
  description: 'Id of a minion, even of one that was removed.',
  examples: ['note-1'],
})

const given = [
  ['objects.create', { type: 'note', id: 'note-1', title: 'Draft', fields: { content: 'One' } }],
  ['objects.update', { id: 'note-1', title: 'Final' }],
] as const

const history = defineOperation({
  name: 'audit.history',
  summary: 'List everything that happened to a minion, oldest first',
  access: 'read',
  input: Type.Object({ id }, { additionalProperties: false }),
  output: Type.Array(AuditEntrySchema),
  examples: [{ title: 'A note that was changed', given, input: { id: 'note-1' } }],
  deps,
  run: (input, { log }) => log.history(input.id),
})

const at = defineOperation({
  name: 'audit.at',
  summary: 'Get a minion as it was at a point in time',
  access: 'read',
  input: Type.Object(
    {
      id,
      time: Type.String({
        description: 'A date, or a date and time with its offset.',
        examples: ['2030-01-31T09:00:00Z'],
      }),
    },
    { additionalProperties: false },
  ),
  output: Type.Unsafe<Minion>(MinionSchema),
  examples: [
    { title: 'A note as it is at the end of the century', given, input: { id: 'note-1', time: '2099-12-31' } },
  ],
  deps,
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
