import { type Static, Type } from 'typebox'
import type {
  ClientChange,
  ClientChangePage,
  ClientChangesQuery,
  ClientFollowOptions,
} from '../../client/changes/client-changes.js'
import { minionsCollection, relationsCollection, typesCollection } from '../../client/collections.js'
import type { Minions } from '../../client/minions.js'
import { coreError } from '../../errors/codes.js'
import { TimestampSchema } from '../../schemas/timestamp.js'
import { includesAccess } from '../access.js'
import { clientOperation } from './client-operation.js'
import { list, TypeName, text, whole } from './inputs.js'
import { exampleNote } from './objects.js'

const LONGEST_WAIT = 60_000

/** Collections that every caller may see; those of plugins may belong to one tenant. */
const OPEN: ReadonlySet<string> = new Set([minionsCollection.name, relationsCollection.name, typesCollection.name])

const ChangeSchema = Type.Object({
  cursor: Type.String({ description: 'Pass it as `since` to continue after this change.' }),
  collection: Type.String({
    description: 'The collection of the record: `minions`, `relations`, `types` or one of a plugin.',
  }),
  key: Type.Union([Type.String(), Type.Array(Type.Union([Type.String(), Type.Integer()]))], {
    description: 'Id of the record; all properties of a compound key.',
  }),
  kind: Type.Enum(['put', 'delete'], { description: '`delete` if the record was removed permanently.' }),
  revision: Type.String({ description: 'The revision that was written, or the last one of a removed record.' }),
  at: TimestampSchema,
  type: Type.Optional(Type.String({ description: 'Slug of the type, for a minion.' })),
  title: Type.Optional(Type.String({ description: 'Title of the minion as it is now.' })),
  by: Type.Optional(Type.String({ description: 'Author of the change, if the minion records it.' })),
})

const ChangePageSchema = Type.Object({
  items: Type.Array(ChangeSchema),
  cursor: Type.String({ description: '`since` of the next call.' }),
  more: Type.Boolean({ description: 'True if more changes are available immediately.' }),
})

export const listChanges = clientOperation({
  name: 'changes.list',
  summary: 'List committed changes since a cursor, and wait for the next',
  description:
    'Returns every change once, oldest first, in order per record. Keep `cursor` and pass it as `since`, ' +
    'even after a restart. A cursor older than what the store keeps fails with CHANGES_EXPIRED: read the records as they ' +
    'are and continue from `now`.',
  access: 'read',
  input: {
    since: Type.Optional(text('A cursor, `start` for everything retained, or `now`; default `start`.', 'now')),
    types: Type.Optional(list(TypeName, 'Only minions of these types.', 'note')),
    ids: Type.Optional(list(Type.String(), 'Only minions with these ids.', 'note-1')),
    collections: Type.Optional(
      list(
        Type.String(),
        'Default: minions, relations and types. Collections of plugins, or `*` for all, require admin access.',
        'minions',
      ),
    ),
    limit: Type.Optional(
      whole('Maximum number of changes to examine; default 100.', 20, { minimum: 1, maximum: 1000 }),
    ),
    wait: Type.Optional(
      whole('Milliseconds to wait for a change when there is none yet; default 0.', 10_000, {
        minimum: 0,
        maximum: LONGEST_WAIT,
      }),
    ),
  },
  output: ChangePageSchema,
  examples: [
    { title: 'What happened to notes', given: [exampleNote], input: { since: 'start', types: ['note'] } },
    { title: 'A cursor to begin with', input: { since: 'now' } },
    { title: 'An invalid cursor', input: { since: 'yesterday' }, fails: 'INVALID_CURSOR' },
  ],
  async run({ since = 'start', limit, wait = 0, collections, ...asked }, { client }, { signal, grant }) {
    checkCollections(collections, includesAccess(grant.access ?? 'admin', 'admin'))
    const query: ClientChangesQuery = { ...asked, collections: collections?.includes('*') ? 'all' : collections }
    const page = await client.listChanges({ ...query, since, limit })
    if (page.items.length > 0 || page.more || wait === 0) return toResult(client, page)
    const ended = AbortSignal.any([signal, AbortSignal.timeout(wait)])
    const reached = await nextChange(client, { ...query, since: page.cursor, signal: ended })
    return toResult(client, await client.listChanges({ ...query, since: reached ?? page.cursor, limit }))
  },
})

/** Waits for a selected change, and returns the last cursor before it. */
async function nextChange(client: Minions, options: ClientFollowOptions): Promise<string | undefined> {
  let reached: string | undefined
  for await (const { items, cursor } of client.changePages(options)) {
    if (items.length > 0) break
    reached = cursor
  }
  return reached
}

function checkCollections(collections: readonly string[] | undefined, isAdmin: boolean): void {
  const foreign = collections?.find((name) => !OPEN.has(name))
  if (foreign === undefined || isAdmin) return
  const message = `Changes of "${foreign}" require admin access; without it, request ${[...OPEN].join(', ')}.`
  throw coreError('FORBIDDEN', message, { details: { collection: foreign } })
}

function toResult(client: Minions, { items, cursor, more }: ClientChangePage): Static<typeof ChangePageSchema> {
  return { items: items.map((change) => toItem(client, change)), cursor, more }
}

function toItem(client: Minions, change: ClientChange): Static<typeof ChangeSchema> {
  const { key, type, minion, by, ...rest } = change
  return {
    ...rest,
    key: typeof key === 'object' ? [...key] : String(key),
    ...(type !== undefined && { type: client.registry.getById(type)?.slug ?? type }),
    ...(minion && { title: minion.title }),
    ...(by !== undefined && { by }),
  }
}
