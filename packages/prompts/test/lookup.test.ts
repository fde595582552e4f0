import { Minions, type Relation } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'
import { createMinions } from '@minions/host'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isPrompt, type PromptMinion } from '../src/chain/prompt-minion.js'
import { PromptsApi, promptPluginTypes, prompts, promptVersionType } from '../src/index.js'
import { buildIndex } from '../src/lookup/build-index.js'
import { indexCollections } from '../src/lookup/collections.js'
import { IndexLookup } from '../src/lookup/index-lookup.js'
import { RelationLookup } from '../src/lookup/relation-lookup.js'
import { tickingClock } from './stores.js'
import { counting } from './support/counting.js'
import { everyBackend } from './support/every-backend.js'

fc.configureGlobal({ seed: 20_240_118 })

/** An answer, or the code of the error that stands for it. */
const answer = <T>(work: Promise<T>): Promise<T | string> => work.catch((error) => error.code ?? Promise.reject(error))

const NAMES = ['p', 'q', 'other', 'x/y']

/** Everything that a lookup says of some minions. */
async function everything(client: Minions, lookup: RelationLookup | IndexLookup) {
  const { items } = await client.find({ includeDeleted: true, limit: 10_000 })
  const minions = items.filter(isPrompt)
  const ids = minions.map(({ id }) => id)
  const said: unknown[] = []
  for (const minion of minions) {
    const chain = await answer(lookup.chain(minion))
    const rootId = await answer(lookup.rootId(minion))
    const root = minions.find(({ id }) => id === rootId) as PromptMinion
    said.push({
      id: minion.id,
      rootId,
      number: await answer(lookup.numberOf(minion)),
      chain: typeof chain === 'string' ? chain : [...chain.minions.keys()].sort(),
      latest: await answer(lookup.latest(minion).then((latest) => latest?.id)),
      member: root && (await answer(lookup.member(root, minion.id).then((member) => member?.id))),
      numbered: await answer(lookup.numbered(minion, 2).then((list) => list.map(({ id }) => id).sort())),
    })
  }
  const parts = [...(await lookup.parts('variable', ids)), ...(await lookup.parts('test', ids))]
  return {
    said,
    parts: parts.map(({ id, ownerId }) => `${ownerId} ${id}`).sort(),
    production: await lookup.label('production', ids),
    staging: await lookup.label('staging', ids),
    labels: await Promise.all(ids.map((id) => lookup.labels(id))),
    originals: await lookup.originals(ids),
    names: await lookup.names(ids),
    named: await Promise.all(NAMES.map((name) => lookup.named(name))),
  }
}

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

describe.each(everyBackend)('on %s', { timeout: 120_000 }, (_, locate) => {
  it('reading and adding takes the same number of queries, however many versions there are', async () => {
    const { storage, queries } = counting(await locate()())
    const app = await createMinions({ storage, clock: tickingClock(), plugins: [prompts()] })
    const first = await app.prompts.create({ title: 'P', content: 'Hi {{name}}' })
    const other = await app.prompts.create({ title: 'Q', content: 'x' })
    await app.prompts.variables.define(first.id, { name: 'name' })
    const cost = async (read: () => Promise<unknown>) => {
      const before = queries()
      await read()
      return queries() - before
    }
    const measure = async () => {
      const { id } = await app.prompts.latest(first.id)
      return {
        render: await cost(() => app.prompts.render(first.id, { name: 'Ada' })),
        renderVersion: await cost(() => app.prompts.render(id, { name: 'Ada' })),
        renderNumber: await cost(() => app.prompts.render({ prompt: first.id, version: 1 }, { name: 'Ada' })),
        renderFirst: await cost(() => app.prompts.render({ prompt: first.id, version: 0 }, { name: 'Ada' })),
        latest: await cost(() => app.prompts.latest(first.id)),
        latestOfVersion: await cost(() => app.prompts.latest(id)),
        published: await cost(() => app.prompts.published(first.id)),
        variables: await cost(() => app.prompts.variables.list(first.id)),
        variablesOfVersion: await cost(() => app.prompts.variables.list(id)),
        publish: await cost(() => app.prompts.publish(first.id)),
        add: await cost(() => app.prompts.addVersion(first.id, { content: 'Hello {{name}}' })),
        addAfter: await cost(() => app.prompts.addVersion(id, { content: 'Hello {{name}}' })),
        delete: await cost(async () => app.softDelete((await app.prompts.latest(first.id)).id)),
        history: await cost(() => app.prompts.history(first.id)),
      }
    }
    const grow = async (count: number) => {
      for (let index = 0; index < count; index++) {
        await app.prompts.addVersion(first.id, { content: `{{name}} ${index}` })
        // Another prompt that is always newer.
        await app.prompts.addVersion(other.id, { content: `${index}` })
        if (index % 10 === 0) await app.prompts.publish(first.id)
        if (index % 10 === 5) await app.prompts.tests.create(first.id, { inputVariables: { name: 'Ada' } })
      }
    }
    await grow(3)
    await measure()
    const short = await measure()
    await grow(12)
    expect(await measure()).toEqual(short)
    expect(short.render).toBeLessThanOrEqual(6)
    expect(short.latest).toBeLessThanOrEqual(6)
    await app.close()
  })

  it('a store that was written without the index is read the same when it is opened', async () => {
    const open = locate()
    const storage = await open()
    const plain = await Minions.open({ storage, types: promptPluginTypes, clock: tickingClock() })
    const writing = new PromptsApi(plain)
    const ids: string[] = []
    for (const title of ['P', 'Q', 'R']) {
      const { id } = await writing.create({ title, content: `${title} {{name}}` })
      await writing.variables.define(id, { name: 'name', defaultValue: 'friend' })
      await writing.tests.create(id, { inputVariables: { name: 'Ada' } })
      for (let index = 0; index < 4; index++) await writing.addVersion(id, { content: `${title}${index}` })
      await writing.publish(id)
      ids.push(id)
    }
    // By hand, with `follows` alone.
    for (const [after, id] of [
      [ids[0], 'h1'],
      ['h1', 'h2'],
      ['h2', 'h3'],
    ] as const) {
      await plain.create(promptVersionType, { id, title: id, fields: { content: id } })
      await plain.link({ sourceId: id, targetId: String(after), type: 'follows' })
    }
    const before = await everything(plain, new RelationLookup(plain))
    const read = async (api: PromptsApi) =>
      Promise.all(
        [...ids, 'h2'].map(async (id) => ({
          latest: await api.latest(id),
          published: await api.published(id),
          history: await api.history(id),
          text: await api.render(id),
          tests: await api.tests.list(id),
        })),
      )
    const said = await read(writing)
    await plain.close()
    const app = await createMinions({ storage: await open(), plugins: [prompts()] })
    expect(await everything(app, new IndexLookup(app))).toEqual(before)
    expect(await read(app.prompts)).toEqual(said)
    expect((await app.prompts.addVersion('h3', { content: 'h4' })).fields.versionNumber).toBe(4)
    await app.close()
  })
})
