import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMinionsError, type Minions } from '@minions/core'
import { copyJson } from '@minions/core/json'
import { runOperation, runOperationAsText } from '@minions/core/operations'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMinions } from '../src/index.js'

const SCHEMA = [{ name: 'pages', type: 'number' }] as const

/** Two apps on one file, or the same one twice. */
async function openBoth(storage: 'memory:' | 'sqlite::memory:' | 'sqlite:'): Promise<readonly [Minions, Minions]> {
  const folder = mkdtempSync(join(tmpdir(), 'minions-at-once-'))
  const open = () =>
    createMinions({ storage: storage === 'sqlite:' ? `sqlite:${join(folder, 's.db')}` : storage, plugins: [] })
  const first = await open()
  const second = storage === 'sqlite:' ? await open() : first
  onTestFinished(async () => {
    await Promise.all([first.close(), second.close()])
    rmSync(folder, { recursive: true })
  })
  await runOperation(first, 'types.create', { slug: 'book', name: 'Book', schema: SCHEMA })
  return [first, second]
}

/** What a call comes to: the text of its result, or the code of its error. */
async function outcomeOf(call: () => string | Promise<string>) {
  try {
    return { text: await call() }
  } catch (error) {
    return { code: isMinionsError(error) ? error.code : String(error) }
  }
}

const id = fc.constantFrom('a', 'b', 'c')
const step = fc.oneof(
  fc.record({ does: fc.constant('create' as const), id, title: fc.string({ unit: 'grapheme', minLength: 1 }) }),
  fc.record({ does: fc.constant('update' as const), id, title: fc.string({ unit: 'grapheme', minLength: 1 }) }),
  fc.record({ does: fc.constant('delete' as const), id }),
  fc.record({ does: fc.constant('purge' as const), id }),
  fc.record({ does: fc.constant('evolve' as const), id }),
)

describe.each(['memory:', 'sqlite::memory:', 'sqlite:'] as const)('on %s', (storage) => {
  test('a minion that is read at once is the one that the client gives, whoever changed it or its type', async () => {
    const [first, second] = await openBoth(storage)
    let schema: readonly { readonly name: string; readonly type: string }[] = SCHEMA
    const perform = async (
      app: Minions,
      { does, id, ...rest }: typeof step extends fc.Arbitrary<infer S> ? S : never,
    ) => {
      if (does === 'evolve') {
        schema = [...schema, { name: `field${schema.length}`, type: 'string' }]
        return runOperation(app, 'types.evolve', { type: 'book', schema })
      }
      const input = does === 'create' ? { type: 'book', id, ...rest, fields: { pages: 1 } } : { id, ...rest }
      return runOperation(app, `objects.${does}`, input)
    }
    const property = fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), step), { maxLength: 12 }), async (steps) => {
      for (const [isFirst, each] of steps) {
        await perform(isFirst ? first : second, each).catch((error: unknown) => {
          if (!isMinionsError(error)) throw error
        })
        for (const app of [first, second]) {
          for (const read of ['a', 'b', 'c', 'none', '']) {
            const now = await outcomeOf(() => runOperationAsText(app, 'objects.get', { id: read }))
            const minion = read === '' ? undefined : await app.get(read)
            const code = read === '' ? 'VALIDATION_FAILED' : 'NOT_FOUND'
            expect(now).toEqual(minion ? { text: JSON.stringify(copyJson(minion)) } : { code })
          }
        }
      }
    })
    await fc.assert(property, { numRuns: 30 })
  })

  test('while a type evolves, a minion is read in its new shape', async () => {
    const [first, second] = await openBoth(storage)
    const books = Array.from({ length: 2500 }, (_, index) => ({ id: `b${index}`, title: 'x', fields: { pages: 1 } }))
    await first.createMany('book', books)
    const evolving = first.types.evolve('book', [...SCHEMA, { name: 'shelf', type: 'string', defaultValue: 'A' }])
    let isOver = false
    const over = evolving.finally(() => {
      isOver = true
    })
    while (!isOver) {
      for (const app of [first, second]) {
        const { fields } = JSON.parse(await runOperationAsText(app, 'objects.get', { id: 'b2499' }))
        const current = await app.get('b2499')
        // Both are in one shape, unless the type has changed between them.
        if (JSON.stringify(current?.fields) !== JSON.stringify(fields)) expect(current?.fields).toHaveProperty('shelf')
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    await over
    expect(await runOperation(second, 'objects.get', { id: 'b2499' })).toMatchObject({ fields: { shelf: 'A' } })
  })
})

test('nothing is waited for that is at hand', async () => {
  const app = await createMinions({ storage: 'memory:', plugins: [] })
  onTestFinished(() => app.close())
  const { id } = await app.create('note', { title: 'A', fields: { content: 'x' } })
  expect(runOperationAsText(app, 'objects.get', { id })).toBe(JSON.stringify(await app.get(id)))
  expect(() => runOperationAsText(app, 'objects.get', { id: 'none' })).toThrow(
    expect.objectContaining({ code: 'NOT_FOUND' }),
  )
  expect(runOperationAsText(app, 'objects.count', {})).toBeInstanceOf(Promise)
})

test('what an operation gives can be changed without changing what others read', async () => {
  const app = await createMinions({ storage: 'sqlite::memory:', plugins: [] })
  onTestFinished(() => app.close())
  const { id } = await app.create('note', { title: 'A', fields: { content: 'x' } })
  const read = (await runOperation(app, 'objects.get', { id })) as { title: string }
  read.title = 'changed'
  expect(await runOperation(app, 'objects.get', { id })).toMatchObject({ title: 'A' })
  expect((await app.get(id))?.title).toBe('A')
})
