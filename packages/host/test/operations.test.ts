import {
  defineOperation,
  definePlugin,
  type FinishedOperation,
  Minions,
  memoryStorage,
  operations,
  operationsOf,
  type Progress,
  pluginRef,
  requireTenant,
  runExample,
  runOperation,
  tokens,
} from '@minions/core'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { createMinions } from '../src/index.js'
import { rejection } from './support.js'

const greeterRef = pluginRef<{ greet(name: string): string }>()('@acme/greeter', 'greeter')

const greet = defineOperation({
  name: 'greeter.greet',
  summary: 'Greet by name',
  access: 'read',
  input: Type.Object(
    { name: Type.String({ minLength: 1 }), times: Type.Integer({ default: 1, minimum: 1 }) },
    { additionalProperties: false },
  ),
  output: Type.Object({ text: Type.String(), by: Type.Optional(Type.String()), tenant: Type.Optional(Type.String()) }),
  deps: { greeter: greeterRef },
  run({ name, times }, { greeter }, { by, tenant, progress }) {
    for (let done = 1; done <= times; done++) progress({ done, total: times })
    return { text: greeter.greet(name).repeat(times), ...(by && { by }), ...(tenant && { tenant }) }
  },
})

const note = defineOperation({
  name: 'greeter.note',
  summary: 'Write a note',
  access: 'write',
  input: Type.Object({ title: Type.String() }),
  output: Type.Object({ id: Type.String(), createdBy: Type.Optional(Type.String()) }),
  deps: { client: tokens.client },
  async run({ title }, { client }, { by, signal }) {
    const fields = { content: title }
    const { id, createdBy } = await client.create('note', { title, fields }, { by })
    signal.throwIfAborted()
    return { id, ...(createdBy && { createdBy }) }
  },
})

const broken = defineOperation({
  name: 'greeter.broken',
  summary: 'Answer with something else than promised',
  access: 'admin',
  input: Type.Object({ how: Type.Enum(['output', 'throw']) }),
  output: Type.Object({ text: Type.String() }),
  run({ how }) {
    if (how === 'throw') throw new RangeError('no')
    return { text: 5 as unknown as string }
  },
})

const start = () =>
  createMinions({
    storage: 'memory:',
    plugins: [
      definePlugin({
        ref: greeterRef,
        version: '1.0.0',
        contributes: [[operations, [greet, note, broken]]],
        setup: () => ({ greet: (name) => `Hello ${name}!` }),
      }),
    ],
  })

test('an operation runs by name or by definition, with what it depends on and what is known of the call', async () => {
  const app = await start()
  const seen: Progress[] = []
  const onProgress = (progress: Progress) => void seen.push(progress)
  const options = { by: 'ada', tenant: 'acme', onProgress }
  const byName = await runOperation(app, 'greeter.greet', { name: 'Ada', times: 2 }, options)
  expect(byName).toEqual({ text: 'Hello Ada!Hello Ada!', by: 'ada', tenant: 'acme' })
  expect(seen).toEqual([
    { done: 1, total: 2 },
    { done: 2, total: 2 },
  ])
  expect((await runOperation(app, greet, { name: 'Ada', times: 1 })).text).toBe('Hello Ada!')
  expect(await runOperation(app, note, { title: 'x' }, { by: 'ada' })).toMatchObject({ createdBy: 'ada' })
  expect(operationsOf(app).get('greeter.greet')).toEqual({ plugin: '@acme/greeter', value: greet })
  await app.close()
})

test('the input is checked and completed, and its problems are listed', async () => {
  const app = await start()
  expect(await runOperation(app, 'greeter.greet', { name: 'Ada' })).toEqual({ text: 'Hello Ada!' })
  const wrong = { name: '', times: 0, nmae: 'x' }
  const error = await rejection(
    runOperation(app, 'greeter.greet', wrong),
    'VALIDATION_FAILED',
    '/name',
    '/times',
    'greeter.greet',
  )
  expect(error.details.errors).toEqual(expect.arrayContaining([expect.objectContaining({ pointer: '/name' })]))
  for (const input of [null, undefined, 5, 'x', [], { name: 1n }, { name: Symbol('x') }]) {
    await rejection(runOperation(app, 'greeter.greet', input), 'VALIDATION_FAILED')
  }
  await app.close()
})

test('a caller needs the access of the operation', async () => {
  const app = await start()
  await rejection(runOperation(app, 'greeter.note', { title: 'x' }, { access: 'read' }), 'FORBIDDEN', 'write')
  await rejection(runOperation(app, 'greeter.note', { title: 'x' }, { access: ['read', 'approve'] }), 'FORBIDDEN')
  await rejection(runOperation(app, 'greeter.note', { title: 'x' }, { access: [] }), 'FORBIDDEN')
  await rejection(runOperation(app, 'greeter.note', { title: 'x' }, { access: 'constructor' as never }), 'FORBIDDEN')
  expect(await app.count()).toBe(0)
  await runOperation(app, 'greeter.note', { title: 'x' }, { access: 'admin' })
  await runOperation(app, 'greeter.greet', { name: 'x' }, { access: ['approve'] })
  await app.close()
})

test('a call that was cancelled does not start, and one under way is told', async () => {
  const app = await start()
  await rejection(runOperation(app, 'greeter.note', { title: 'x' }, { signal: AbortSignal.abort() }), 'CANCELLED')
  expect(await app.count()).toBe(0)
  const controller = new AbortController()
  app.on('minion.created', () => controller.abort(new Error('enough')))
  const running = runOperation(app, 'greeter.note', { title: 'x' }, { signal: controller.signal })
  await rejection(running, 'CANCELLED', 'greeter.note')
  await app.close()
})

test('each call emits one event when it has ended, with the code of its error', async () => {
  const app = await start()
  const told: FinishedOperation[] = []
  app.on('operation.finished', (call) => void told.push(call))
  await runOperation(app, 'greeter.greet', { name: 'Ada' }, { by: 'ada', tenant: 'acme' })
  await rejection(runOperation(app, 'greeter.greet', {}), 'VALIDATION_FAILED')
  await rejection(runOperation(app, 'greeter.note', { title: 'x' }, { access: 'read' }), 'FORBIDDEN')
  await rejection(runOperation(app, 'greeter.broken', { how: 'output' }), 'OUTPUT_INVALID', 'greeter.broken', '/text')
  await expect(runOperation(app, 'greeter.broken', { how: 'throw' })).rejects.toThrow(RangeError)
  expect(told).toMatchObject([
    { operation: 'greeter.greet', by: 'ada', tenant: 'acme', error: undefined, durationMs: expect.any(Number) },
    { operation: 'greeter.greet', error: 'VALIDATION_FAILED' },
    { operation: 'greeter.note', error: 'FORBIDDEN' },
    { operation: 'greeter.broken', error: 'OUTPUT_INVALID' },
    { operation: 'greeter.broken', error: 'INTERNAL' },
  ])
  await app.close()
})

test('an example runs after its preparation, for who it says, and is refused where it says', async () => {
  const app = await start()
  const example = { title: 'x', input: { name: 'Ada' }, by: 'ada', tenant: 'acme' }
  const given = [['greeter.note', { title: 'x' }]] as const
  expect(await runExample(app, greet, { ...example, given })).toEqual({ text: 'Hello Ada!', by: 'ada', tenant: 'acme' })
  expect(await app.find({ type: 'note' })).toMatchObject({ items: [{ createdBy: 'ada' }] })
  expect(await runExample(app, greet, { title: 'x', input: {}, fails: 'VALIDATION_FAILED' })).toBeNull()
  await rejection(runExample(app, greet, { ...example, fails: 'VALIDATION_FAILED' }), 'OUTPUT_INVALID', 'greeter.greet')
  await rejection(runExample(app, greet, { title: 'x', input: {}, fails: 'CONFLICT' }), 'VALIDATION_FAILED')
  await rejection(runExample(app, greet, { ...example, given: [['greeter.no', {}]], fails: 'NOT_FOUND' }), 'NOT_FOUND')
  await app.close()
})

test('an operation within a tenant refuses a call without one', () => {
  const context = { by: undefined, signal: new AbortController().signal, progress: () => {} }
  expect(requireTenant({ ...context, tenant: 'acme' })).toBe('acme')
  for (const tenant of [undefined, '']) {
    expect(() => requireTenant({ ...context, tenant })).toThrow(
      expect.objectContaining({ code: 'VALIDATION_FAILED', message: expect.stringContaining('tenant') }),
    )
  }
})

test('an unknown operation is refused with the nearest name, and a client without a host has none', async () => {
  const app = await start()
  await rejection(runOperation(app, 'greeter.gret', {}), 'NOT_FOUND', '"greeter.greet"')
  await rejection(runOperation(app, Symbol('x') as unknown as string, {}), 'NOT_FOUND')
  await app.close()
  const client = await Minions.open({ storage: memoryStorage() })
  await rejection(runOperation(client, 'greeter.greet', {}), 'CAPABILITY_MISSING', 'createMinions')
  await client.close()
})

test.each([
  [{ name: 'greet' }, 'area and a verb'],
  [{ name: 5 }, 'area and a verb'],
  [{ summary: ' ' }, 'summary'],
  [{ access: 'sudo' }, 'access'],
  [{ input: Type.String() }, 'input'],
  [{ output: undefined }, 'output'],
  [{ run: 'greet' }, 'run'],
])('an operation with %j cannot be defined', (parts, named) => {
  expect(() => defineOperation({ ...greet, ...parts } as never)).toThrow(
    expect.objectContaining({ code: 'VALIDATION_FAILED', message: expect.stringContaining(named) }),
  )
})
