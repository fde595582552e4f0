import { createHash } from 'node:crypto'
import type { Minions } from '@minions/core'
import { canonicalJson, type JsonObject } from '@minions/core/json'
import { type Collection, defineCollection } from '@minions/core/storage'
import { Type } from 'typebox'
import { expect } from 'vitest'
import { casesOnClient } from '../case.js'
import type { Context } from '../context.js'
import { failure } from '../failure.js'
import { times } from '../times.js'
import { changesNothing, contentOf, note, recipeType, titles } from './support.js'

const extra = defineCollection({
  name: 'kit_extra',
  schema: Type.Object({ id: Type.String(), minion: Type.String() }),
  key: ['minion', 'id'],
  columns: { minion: 'string' },
  references: [{ columns: ['minion'], collection: 'minions' }],
})

/** A store with a little of everything. */
async function filled(client: Minions): Promise<void> {
  await client.types.register(recipeType)
  const soup = await client.create('kit-recipe', {
    title: 'Soup 😀 \u2028',
    tags: ['é'],
    fields: { servings: 2, odd: { 'a.b': null } },
  })
  const [a, b] = [await note(client, 'a'), await note(client, 'b')]
  await client.link({ sourceId: soup.id, targetId: a.id, type: 'references', metadata: [1, { x: null }] })
  await client.link({ sourceId: a.id, targetId: 'outside:1', type: 'integration_link' })
  await client.softDelete(b.id)
  await client.update(a.id, { title: 'changed' })
}

/** The bundle of a store with a little of everything, and a client on an empty store. */
async function exported(client: Minions, context: Context) {
  await filled(client)
  return { lines: await contentOf(client), other: await onEmptyStore(context) }
}

async function onEmptyStore(context: Context): Promise<Minions> {
  return context.client({ storage: await context.another() })
}

/** Contents of the lines of a bundle, without their checksums. */
function contents(lines: readonly string[]): JsonObject[] {
  return lines.map((line) => {
    const { sum: _, ...content } = JSON.parse(line) as JsonObject
    return content
  })
}

/** The bundle of a store with a collection of a plugin. */
async function withExtra(context: Context): Promise<JsonObject[]> {
  const client = await context.client({ collections: [extra] })
  const { id } = await note(client, 'a')
  await client.storage.put(extra, { id: 'x', minion: id })
  return contents(await contentOf(client))
}

/** Lines with correct checksums, whatever their content: an attacker can create these too. */
function signed(parts: readonly JsonObject[]): string[] {
  let last = ''
  return parts.map((content) => {
    last = createHash('sha256')
      .update(`${last}\n${canonicalJson(content)}`)
      .digest('hex')
    return `${canonicalJson({ ...content, sum: last })}\n`
  })
}

/** Exporting everything from one store and importing it into another. */
export const bundles = casesOnClient('bundles', [], {
  'export, import into an empty store, export: identical': async (client, context) => {
    await filled(client)
    const lines = await contentOf(client, {})
    const other = await onEmptyStore(context)
    const { added } = await other.importBundle(lines)
    expect(added).toMatchObject({ minions: 3, relations: 2, types: 1 })
    expect(await contentOf(other, {})).toEqual(lines)
    expect(other.types.get('kit-recipe')).toEqual(client.types.get('kit-recipe'))
    expect(titles((await other.find({ type: 'kit-recipe' })).items)).toEqual(['Soup 😀 \u2028'])
    const { items } = await other.find({ where: { title: 'changed' } })
    await other.update(items[0]?.id ?? '', { title: 'goes on' })
  },

  'with `all`, every collection is exported, and imported even into a store that does not declare it': async (
    _,
    context,
  ) => {
    const client = await context.client({ collections: [extra] })
    await filled(client)
    const [first] = (await client.find()).items
    await client.storage.put(extra, { id: 'x', minion: first?.id ?? '' })
    const lines = await contentOf(client, { all: true })
    const other = await onEmptyStore(context)
    await other.importBundle(lines)
    expect(await contentOf(other, { all: true })).toEqual(lines)
    await failure(other.storage.put(extra, { id: 'y', minion: 'nobody' }), 'REFERENCE_VIOLATION')
    expect((await contentOf(client, {})).some((line) => line.includes('kit_extra'))).toBe(false)
  },

  'types given in code on both sides do not conflict': async (_, context) => {
    const client = await context.client({ types: [recipeType] })
    await client.create('kit-recipe', { title: 'Soup', fields: { servings: 1 } })
    const lines = await contentOf(client)
    const later = { types: [recipeType], clock: () => Date.UTC(2030, 0, 1) }
    const other = await context.client({ ...later, storage: await context.another() })
    await other.importBundle(lines)
    expect(await contentOf(other)).toEqual(lines)
    expect(other.types.get('kit-recipe')).toEqual(client.types.get('kit-recipe'))
  },

  'a bundle of an earlier version of a collection is upgraded on import': async (_, context) => {
    const [first, second] = [1, 2].map((version) =>
      defineCollection({
        ...{ name: 'kit_grown', version, schema: Type.Object({ id: Type.String() }), key: 'id' },
        ...(version === 2 && { columns: { kind: { type: 'string', required: true, indexed: true } } }),
        upgrades: { 1: (record) => ({ ...record, kind: `was ${record.id}` }) },
      }),
    ) as [Collection<{ id: string }>, Collection<{ id: string }>]
    const client = await context.client({ collections: [first] })
    await client.storage.put(first, { id: 'a' })
    const lines = await contentOf(client, { all: true })
    const other = await context.client({ collections: [second], storage: await context.another() })
    expect((await other.importBundle(lines)).added).toMatchObject({ kit_grown: 1 })
    expect(await other.storage.find(second, { where: { kind: 'was a' } })).toMatchObject({ items: [{ id: 'a' }] })
    await changesNothing(client, async () => {
      await failure(client.importBundle(await contentOf(other, { all: true })), 'INVALID_BUNDLE')
    })
  },

  'importing the same bundle again adds nothing': async (client) => {
    await filled(client)
    const lines = await contentOf(client)
    const { added } = await client.importBundle(lines)
    expect(Object.values(added).every((count) => count === 0)).toBe(true)
    expect(await contentOf(client)).toEqual(lines)
  },

  'a bundle may be text, bytes split anywhere, or a stream': async (client, context) => {
    const { lines, other } = await exported(client, context)
    const text = lines.join('')
    const bytes = new TextEncoder().encode(text)
    const pieces = times(Math.ceil(bytes.length / 7), (index) => bytes.slice(index * 7, index * 7 + 7))
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece)
        controller.close()
      },
    })
    async function* later() {
      yield* pieces
    }
    for (const source of [text, pieces, stream, later()]) await other.importBundle(source)
    expect((await contentOf(other)).join('')).toBe(text)
  },

  'a record that differs in the store is a conflict, and nothing is imported': async (client, context) => {
    const { lines, other } = await exported(client, context)
    const [first] = (await client.find()).items
    await other.create('note', { id: first?.id ?? '', title: 'mine', fields: { content: 'x' } })
    await changesNothing(other, () => failure(other.importBundle(lines), 'CONFLICT'))
  },

  'a bundle damaged in any line is refused entirely, with that line': async (client, context) => {
    const { lines, other } = await exported(client, context)
    const refused = async (bundle: readonly string[], line: number, what: string) => {
      const error = await failure(other.importBundle(bundle), 'INVALID_BUNDLE')
      expect(error.details.line, what).toBe(line)
    }
    await changesNothing(other, async () => {
      for (const [index, line] of lines.entries()) {
        const before = lines.slice(0, index)
        const after = lines.slice(index + 1)
        const digit = line.replace(/(?<="sum":").*/, (rest) => (rest.startsWith('0') ? '1' : '0') + rest.slice(1))
        await refused([...before, digit, ...after], index + 1, 'another checksum')
        await refused([...before, line.replace(/e/, 'E'), ...after], index + 1, 'another letter')
        await refused([...before, `${line.slice(0, line.length / 2)}\n`, ...after], index + 1, 'half a line')
        await refused([...before, line.slice(0, line.length / 2)], index + 1, 'cut off in the line')
        await refused([...before, '\n', line, ...after], index + 1, 'an empty line')
        await refused([...before, 'null\n', ...after], index + 1, 'no object')
        await refused([...before, line, line, ...after], index + 2, 'a line twice')
        await refused([...before, ...after], index + 1, 'a line missing')
        await refused(before, index + 1, 'cut off before the line')
        if (after[0] !== undefined)
          await refused([...before, after[0], line, ...after.slice(1)], index + 1, 'two lines exchanged')
      }
      await refused([...lines, lines[1] as string], lines.length + 1, 'data after the end')
    })
  },

  'bytes that are not UTF-8 are refused': async (client) => {
    await changesNothing(client, async () => {
      await failure(client.importBundle([new Uint8Array([0xff, 0xfe, 0x0a])]), 'INVALID_BUNDLE')
      await failure(client.importBundle('not a bundle'), 'INVALID_BUNDLE')
      await failure(client.importBundle(''), 'INVALID_BUNDLE')
    })
  },

  'a hostile bundle with correct checksums is refused entirely, with the line': async (client, context) => {
    const { lines, other } = await exported(client, context)
    const parts = contents(lines)
    const lineOf = (collection: string) => parts.findIndex((part) => part.collection === collection)
    const attempt = async (index: number, change: JsonObject, what: string, line = index + 1) => {
      const changed = parts.map((part, at) => (at === index ? { ...part, ...change } : part))
      const error = await failure(other.importBundle(signed(changed)), 'INVALID_BUNDLE')
      expect(error.details.line, what).toBe(line)
    }
    await changesNothing(other, async () => {
      const record = (index: number) => parts[index]?.record as JsonObject
      const [minion, type] = [lineOf('minions'), lineOf('types')]
      const relation = parts.findIndex((_, index) => record(index)?.type === 'references')
      for (const id of ['../../etc/passwd', '', 'a\u0001b', 'x'.repeat(5000), 5, null]) {
        await attempt(minion, { record: { ...record(minion), id } }, `id ${id}`)
      }
      await attempt(minion, { record: 'nonsense' }, 'an invalid record')
      await attempt(minion, { record: { ...record(minion), fields: null } }, 'a record that violates its schema')
      await attempt(minion, { collection: 'unheard_of' }, 'an undeclared collection')
      await attempt(minion, { collection: '__proto__' }, 'a collection of a hostile name')
      await attempt(relation, { record: { ...record(relation), targetId: 'nobody' } }, 'a dangling relation')
      const pattern = [{ name: 'x', type: 'string', validation: { pattern: '(' } }]
      await attempt(type, { record: { ...record(type), schema: pattern } }, 'a type that cannot be used')
      await attempt(0, { version: 99 }, 'another version')
      await attempt(parts.length - 1, { records: 0 }, 'a wrong number of records')
      const declaration = parts.findIndex((part) => 'declaration' in part)
      const declared = parts[declaration]?.declaration as JsonObject
      for (const name of ['../x', 'minions; DROP TABLE x', '__proto__', '', 'UPPER']) {
        await attempt(declaration, { declaration: { ...declared, name } }, `a collection called ${name}`)
      }
      await attempt(declaration, { declaration: { ...declared, version: 7 } }, 'another version of a collection')
      await attempt(declaration, { declaration: 'nonsense' }, 'an invalid declaration')
    })
  },

  'a bundle with duplicates is refused, with the line': async (client, context) => {
    const { lines, other } = await exported(client, context)
    const parts = contents(lines)
    const twice = async (find: (part: JsonObject) => boolean, count: number) => {
      const index = parts.findLastIndex(find)
      const repeated = [...parts.slice(0, index + 1), parts[index] as JsonObject, ...parts.slice(index + 1)]
      const fixed = repeated.map((part) =>
        'end' in part ? { ...part, records: (part.records as number) + count } : part,
      )
      const error = await failure(other.importBundle(signed(fixed)), 'INVALID_BUNDLE')
      expect(error.details.line).toBe(index + 2)
    }
    await changesNothing(other, async () => {
      await twice((part) => part.collection === 'minions', 1)
      await twice((part) => (part.declaration as JsonObject | undefined)?.name === 'minions', 0)
    })
  },

  'a refused bundle leaves no collection behind': async (_, context) => {
    const parts = await withExtra(context)
    const broken = parts.map((part) =>
      part.collection === 'kit_extra' ? { ...part, record: { id: 'x', minion: 'nobody' } } : part,
    )
    const other = await onEmptyStore(context)
    const before = (await contentOf(other)).filter((line) => line.includes('"declaration"')).length
    const error = await failure(other.importBundle(signed(broken)), 'INVALID_BUNDLE')
    expect(error.details.line).toBe(parts.findIndex((part) => part.collection === 'kit_extra') + 1)
    expect((await contentOf(other)).filter((line) => line.includes('"declaration"'))).toHaveLength(before)
  },

  'records of a loaded plugin must match its schema': async (_, context) => {
    const parts = await withExtra(context)
    const index = parts.findIndex((part) => part.collection === 'kit_extra')
    const strict = defineCollection({
      ...{ name: 'kit_extra', key: ['minion', 'id'], columns: { minion: 'string' } },
      schema: Type.Object({ id: Type.Literal('y'), minion: Type.String() }),
      references: extra.declaration.references,
    })
    const other = await context.client({ storage: await context.another(), collections: [strict] })
    await changesNothing(other, async () => {
      const error = await failure(other.importBundle(signed(parts)), 'INVALID_BUNDLE')
      expect(error.details.line).toBe(index + 1)
    })
  },
})
