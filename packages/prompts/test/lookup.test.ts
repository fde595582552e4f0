import { Minions, type Relation } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'
import { createMinions } from '@minions/host'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPrompt } from '../src/chain/prompt-minion.js'
import { PromptsApi, promptPluginTypes, prompts, promptVersionType } from '../src/index.js'
import { buildIndex } from '../src/lookup/build-index.js'
import { indexCollections } from '../src/lookup/collections.js'
import { IndexLookup } from '../src/lookup/index-lookup.js'
import { RelationLookup } from '../src/lookup/relation-lookup.js'
import { tickingClock } from './stores.js'
import { answer, everything, NAMES } from './support/everything.js'

fc.configureGlobal({ seed: 20_240_118 })

async function indexOf(client: Minions) {
  const records: unknown[] = []
  for (const collection of indexCollections) {
    for await (const { record } of client.storage.iterate(collection as (typeof indexCollections)[0]))
      records.push(record)
  }
  return records
}

/** One change: which, of whom, to whom, and whether time passes before it. */
const changes = fc.array(
  fc.record({
    kind: fc.constantFrom(
      ...['add', 'add', 'add', 'create', 'link', 'link', 'partOf', 'unlink', 'delete', 'delete', 'restore', 'purge'],
      ...[
        'variable',
        'test',
        'publish',
        'number',
        'transaction',
        'rename',
        'rename',
        'rename',
        'label',
        'label',
        'unlabel',
        'split',
      ],
    ),
    a: fc.nat(40),
    b: fc.nat(40),
    tick: fc.constantFrom(0, 1),
  }),
  { maxLength: 30 },
)

type Change = typeof changes extends fc.Arbitrary<readonly (infer T)[]> ? T : never

/** Makes a change, if it can be made: what is refused changes nothing. */
async function make(app: Minions & { readonly prompts: PromptsApi }, change: Change, name: string): Promise<void> {
  const { items } = await app.find({ includeDeleted: true, limit: 10_000 })
  const all = items.filter(isPrompt)
  const pick = <T>(list: readonly T[], at: number) => list[at % Math.max(1, list.length)] as T
  const [a, b] = [pick(all, change.a), pick(all, change.b)]
  if (!a || !b) return
  const relations = async () => (await app.findRelations({ includeDeleted: true, limit: 1000 })).items
  const changed: Readonly<Record<string, () => Promise<unknown>>> = {
    create: () => app.create(promptVersionType, { id: name, title: name, fields: { content: 'x' } }),
    add: () => app.prompts.addVersion(a.id, { id: name, content: name }),
    link: () => app.link({ sourceId: a.id, targetId: b.id, type: 'follows' }),
    partOf: () => app.link({ sourceId: a.id, targetId: b.id, type: 'part_of' }),
    unlink: async () => app.unlink((pick(await relations(), change.b) as Relation | undefined)?.id ?? ''),
    delete: () => app.softDelete(a.id),
    restore: () => app.restore(a.id),
    purge: () => app.hardDelete(pick(items, change.a).id),
    variable: () => app.prompts.variables.define(a.id, { name }),
    test: () => app.prompts.tests.create(a.id, { id: name, inputVariables: {} }),
    publish: () => app.prompts.publish(a.id),
    label: () => app.prompts.labels.set(a.id, 'staging', b.id),
    unlabel: () => app.prompts.labels.remove(a.id, 'staging'),
    split: async () => {
      const { versionId } = (await app.prompts.labels.get(a.id, 'production'))?.targets[0] ?? { versionId: '' }
      const shares = [versionId, b.id].map((version) => ({ version, weight: 50 }))
      await app.prompts.labels.split(a.id, 'production', shares, { salt: name })
    },
    rename: () => app.prompts.rename(a.id, NAMES[change.b % NAMES.length] as string),
    number: () => app.update(a.id, { fields: { versionNumber: change.b % 4 } }),
    transaction: () =>
      app.transaction(async (tx) => {
        const one = await tx.create(promptVersionType, { id: name, title: name, fields: { content: 'x' } })
        await tx.link({ sourceId: one.id, targetId: a.id, type: 'part_of' })
        await tx.link({ sourceId: one.id, targetId: b.id, type: 'follows' })
      }),
  }
  await answer(changed[change.kind]?.() ?? Promise.resolve())
}

describe('the index', () => {
  it('says what the relations say, whatever happens to them', async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (list) => {
        let time = Date.UTC(2026, 0, 1)
        const app = await createMinions({ storage: memoryStorage(), clock: () => time, plugins: [prompts()] })
        for (const title of ['P', 'Q']) await app.prompts.create({ id: title, title, content: title })
        for (const [index, change] of list.entries()) {
          time += change.tick
          await make(app, change, `n${index}`)
        }
        expect(await everything(app, new IndexLookup(app))).toEqual(await everything(app, new RelationLookup(app)))
        const kept = await indexOf(app)
        const copy = await createMinions({ storage: memoryStorage(), plugins: [prompts()] })
        const bundle: string[] = []
        for await (const line of app.exportBundle({ all: true })) bundle.push(line)
        await copy.importBundle(bundle)
        expect(await indexOf(copy)).toEqual(kept)
        await copy.close()
        await app.close()
      }),
      { numRuns: 150 },
    )
  })

  it('is built when a store is opened that was written without it, as it would have been kept', async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (list) => {
        const storage = memoryStorage()
        const plain = await Minions.open({ storage, types: promptPluginTypes, clock: tickingClock() })
        const writing = Object.assign(plain, { prompts: new PromptsApi(plain) })
        for (const title of ['P', 'Q']) await writing.prompts.create({ id: title, title, content: title })
        for (const [index, change] of list.entries()) await make(writing, change, `n${index}`)
        const app = await createMinions({ storage, plugins: [prompts()] })
        expect(await everything(app, new IndexLookup(app))).toEqual(await everything(app, new RelationLookup(app)))
        const built = await indexOf(app)
        await buildIndex(app.storage)
        expect(await indexOf(app)).toEqual(built)
        await app.close()
      }),
      { numRuns: 100 },
    )
  })
})

it('is put right after another program has written past the client', async () => {
  await fc.assert(
    fc.asyncProperty(changes, changes, async (first, second) => {
      const storage = memoryStorage()
      const app = await createMinions({ storage, clock: tickingClock(), plugins: [prompts()] })
      for (const title of ['P', 'Q']) await app.prompts.create({ id: title, title, content: title })
      for (const [index, change] of first.entries()) await make(app, change, `a${index}`)
      const plain = await Minions.open({ storage, types: promptPluginTypes, clock: tickingClock() })
      const stranger = Object.assign(plain, { prompts: new PromptsApi(plain) })
      for (const [index, change] of second.entries()) await make(stranger, change, `b${index}`)
      await app.prompts.reindex()
      expect(await everything(app, new IndexLookup(app))).toEqual(await everything(app, new RelationLookup(app)))
      await app.close()
    }),
    { numRuns: 60 },
  )
})
