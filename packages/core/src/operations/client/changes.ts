import { type Static, Type } from 'typebox'
import type {
  ClientChange,
  ClientChangePage,
  ClientChangesQuery,
  ClientFollowOptions,
} from '../../client/client-changes.js'
import { minionsCollection, relationsCollection, typesCollection } from '../../client/collections.js'
import type { Minions } from '../../client/minions.js'
import { coreError } from '../../errors/codes.js'
import { tokens } from '../../plugin/tokens.js'
import { TimestampSchema } from '../../schemas/timestamp.js'
import { includesAccess } from '../access.js'
import { defineOperation } from '../operation.js'
import { closed, TypeName } from './inputs.js'
import { exampleNote } from './objects.js'

const LONGEST_WAIT = 60_000

/** Collections that every caller may see; those of plugins may belong to one tenant. */
const OPEN: ReadonlySet<string> = new Set([minionsCollection.name, relationsCollection.name, typesCollection.name])

const ChangeSchema = Type.Object({
  cursor: Type.String({ description: 'Pass it as `since` to go on behind this change.' }),
  collection: Type.String({ description: 'Where the record is: `minions`, `relations`, `types` or one of a plugin.' }),
  key: Type.Union([Type.String(), Type.Array(Type.Union([Type.String(), Type.Integer()]))], {
    description: 'Id of the record; all properties of its key where it has several.',
  }),
  kind: Type.Enum(['put', 'delete'], { description: '`delete` if the record is gone for good.' }),
  revision: Type.String({ description: 'The revision that was written, or that the record had.' }),
  at: TimestampSchema,
  type: Type.Optional(Type.String({ description: 'Slug of the type, of a minion.' })),
  title: Type.Optional(Type.String({ description: 'Title of the minion as it is now.' })),
  by: Type.Optional(Type.String({ description: 'Who made the change, where the minion says so.' })),
})

const ChangePageSchema = Type.Object({
  items: Type.Array(ChangeSchema),
  cursor: Type.String({ description: '`since` of the next call.' }),
  more: Type.Boolean({ description: 'True if more changes follow at once.' }),
})

export const listChanges = defineOperation({
  name: 'changes.list',
  summary: 'List committed changes since a cursor, and wait for the next',
  description:
    'Gives every change once, oldest first, those of each record in its own order. Keep `cursor` and pass it as `since`, ' +
    'also after a restart. A cursor older than what the store keeps fails with CHANGES_EXPIRED: read the records as they ' +
    'are and go on from `now`.',
  access: 'read',
  input: Type.Object(
    {
      since: Type.Optional(
        Type.String({
          description: 'A cursor, `start` for all that are kept, or `now`; `start` unless given.',
          examples: ['now'],
        }),
      ),
      types: Type.Optional(Type.Array(TypeName, { description: 'Only minions of these types.', examples: [['note']] })),
      ids: Type.Optional(
        Type.Array(Type.String(), { description: 'Only minions with these ids.', examples: [['note-1']] }),
      ),
      collections: Type.Optional(
        Type.Array(Type.String(), {
          description:
            'Minions, relations and types unless given. Collections of plugins, or `*` for all, need the access admin.',
          examples: [['minions']],
        }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1000,
          description: 'Most changes that are looked at; 100 unless given.',
          examples: [20],
        }),
      ),
      wait: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: LONGEST_WAIT,
          description: 'Milliseconds to wait for a change when there is none yet; 0 unless given.',
          examples: [10_000],
        }),
      ),
    },
    closed,
  ),
  output: ChangePageSchema,
  examples: [
    { title: 'What happened to notes', given: [exampleNote], input: { since: 'start', types: ['note'] } },
    { title: 'A cursor to begin with', input: { since: 'now' } },
    { title: 'A cursor that is none', input: { since: 'yesterday' }, fails: 'INVALID_CURSOR' },
  ],
  deps: { client: tokens.client },
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

/** Waits for a wanted change, and gives the last cursor before it. */
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
  throw coreError(
    'FORBIDDEN',
    `Changes of "${foreign}" need the access "admin"; without it, ask for ${[...OPEN].join(', ')}.`,
    { details: { collection: foreign } },
  )
}

function toResult(client: Minions, { items, cursor, more }: ClientChangePage): Static<typeof ChangePageSchema> {
  return { items: items.map((change) => toItem(client, change)), cursor, more }
}

function toItem(client: Minions, change: ClientChange): Static<typeof ChangeSchema> {
  const { cursor, collection, key, kind, revision, at, type, minion, by } = change
  return {
    cursor,
    collection,
    key: typeof key === 'object' ? [...key] : String(key),
    kind,
    revision,
    at,
    ...(type !== undefined && { type: client.registry.getById(type)?.slug ?? type }),
    ...(minion && { title: minion.title }),
    ...(by !== undefined && { by }),
  }
}
