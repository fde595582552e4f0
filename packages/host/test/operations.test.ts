import { Minions } from '@minions/core'
import { memoryStorage } from '@minions/core/memory'
import {
  ACCESS_KINDS,
  defineOperation,
  type FinishedOperation,
  type Grant,
  type GuardedOperation,
  isWithin,
  operationRef,
  operationRunner,
  operations,
  operationsOf,
  operationsWith,
  type Progress,
  permits,
  requireTenant,
  runExample,
  runOperation,
} from '@minions/core/operations'
import { definePlugin, pluginRef, tokens } from '@minions/core/plugin'
import fc from 'fast-check'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import * as z from 'zod'
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

test('a caller may be limited to areas, and to a tenant', async () => {
  const app = await start()
  const call = (grant: Grant) => runOperation(app, 'greeter.greet', { name: 'x' }, grant)
  await call({ namespaces: ['greeter', 'objects'] })
  for (const namespaces of [['objects'], ['greeter.greet'], ['greet'], []]) {
    await rejection(call({ namespaces }), 'FORBIDDEN', 'namespace "greeter"')
  }
  await rejection(call({ confined: true }), 'FORBIDDEN', 'tenant')
  await rejection(call({ confined: true, namespaces: ['greeter'] }), 'FORBIDDEN', 'tenant')
  await rejection(call({ confined: true, shared: ['greeter'], namespaces: ['objects'] }), 'FORBIDDEN', 'namespace')
  await call({ confined: true, shared: ['greeter'] })
  expect(permits({ confined: true }, { name: 'a.b', access: 'read', perTenant: true })).toBe(true)
  await app.close()
})

test('a grant lies within another exactly if it permits nothing more', () => {
  const operations: GuardedOperation[] = ACCESS_KINDS.flatMap((access) =>
    ['a', 'b'].flatMap((area) => [true, false].map((perTenant) => ({ name: `${area}.x`, access, perTenant }))),
  )
  const list = <T>(arb: fc.Arbitrary<T>) => fc.option(fc.uniqueArray(arb, { maxLength: 3 }), { nil: undefined })
  const areas = list(fc.constantFrom('a', 'b', 'c'))
  const grant = fc.record({
    access: list(fc.constantFrom(...ACCESS_KINDS)),
    namespaces: areas,
    confined: fc.option(fc.boolean(), { nil: undefined }),
    shared: areas,
  })
  let within = 0
  const holds = (inner: Grant, outer: Grant) => {
    if (!isWithin(inner, outer)) return true
    within++
    return operations.every((operation) => !permits(inner, operation) || permits(outer, operation))
  }
  fc.assert(fc.property(grant, grant, holds), { numRuns: 5000, seed: 22 })
  fc.assert(
    fc.property(grant, (same) => holds(same, same)),
    { seed: 22 },
  )
  expect(within).toBeGreaterThan(500)
  expect(isWithin({}, {})).toBe(true)
  expect(isWithin({ access: 'read' }, { access: 'admin' })).toBe(true)
  expect(isWithin({ access: 'write' }, { access: ['read', 'approve'] })).toBe(false)
  expect(isWithin({}, { access: 'admin' })).toBe(false)
  expect(isWithin({ confined: true, shared: ['a'] }, { confined: true })).toBe(false)
})

test('an export of everything needs the access admin', async () => {
  const app = await start()
  await runOperation(app, 'bundles.export', {}, { access: 'read' })
  await rejection(runOperation(app, 'bundles.export', { all: true }, { access: ['read', 'write'] }), 'FORBIDDEN')
  await runOperation(app, 'bundles.export', { all: true }, { access: 'admin' })
  await runOperation(app, 'bundles.export', { all: true })
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

test('a door runs operations that it does not import by references, which type and check the result', async () => {
  const app = await start()
  const run = operationRunner(app, { by: 'ada', access: 'read' })
  const { text } = await run(operationRef('greeter.greet', Type.Object({ text: Type.String() })), { name: 'Ada' })
  expect(text.toUpperCase()).toBe('HELLO ADA!')
  expect(await run('greeter.greet', { name: 'Ada' })).toMatchObject({ by: 'ada' })
  await rejection(run('greeter.note', { title: 'x' }), 'FORBIDDEN')
  const other = operationRef('greeter.greet', Type.Object({ words: Type.Array(Type.String()) }))
  await rejection(run(other, { name: 'Ada' }), 'OUTPUT_INVALID', 'greeter.greet', 'relies on', '/words')
  await app.close()
})

test('a signal that is given as a function is created when the operation reads it, once', async () => {
  const app = await start()
  const controller = new AbortController()
  let created = 0
  const signal = () => {
    created += 1
    return controller.signal
  }
  await runOperation(app, 'greeter.greet', { name: 'Ada' }, { signal })
  expect(created).toBe(0)
  await runOperation(app, 'greeter.note', { title: 'x' }, { signal })
  expect(created).toBe(1)
  controller.abort(new Error('enough'))
  await rejection(runOperation(app, 'greeter.note', { title: 'x' }, { signal }), 'CANCELLED', 'greeter.note')
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
  const context = { by: undefined, grant: {}, signal: new AbortController().signal, progress: () => {} }
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

const addTask = defineOperation({
  name: 'greeter.addTask',
  summary: 'Add a task',
  access: 'write',
  atomic: true,
  input: Type.Object({ title: Type.String() }),
  output: Type.Object({ id: Type.String() }),
  deps: { client: tokens.client },
  async run({ title }, { client }, { by }) {
    const { id } = await client.create('task', { title }, { by })
    return { id }
  },
})

test('an atomic operation takes part in a transaction, with what the transaction has written', async () => {
  const app = await createMinions({ storage: 'memory:' })
  const told: FinishedOperation[] = []
  app.on('operation.finished', (call) => void told.push(call))
  const input = { type: 'task', id: 'a', title: 'A' }
  await expect(
    app.transaction(async (tx) => {
      await runOperation(tx, 'objects.create', input, { by: 'ada' })
      await runOperation(tx, 'objects.update', { id: 'a', title: 'B' })
      expect(await tx.get('a')).toMatchObject({ title: 'B', createdBy: 'ada' })
      throw new RangeError('no')
    }),
  ).rejects.toThrow(RangeError)
  expect([await app.count(), told]).toEqual([0, []])
  await app.transaction(async (tx) => {
    await runOperation(tx, 'objects.create', input)
    expect(told).toEqual([])
  })
  expect(told).toMatchObject([{ operation: 'objects.create', error: undefined }])
  await app.close()
})

test('an operation that is not atomic takes no part in a transaction', async () => {
  const app = await start()
  await rejection(
    app.transaction((tx) => runOperation(tx, 'greeter.note', { title: 'x' })),
    'CAPABILITY_MISSING',
    'greeter.note',
  )
  expect(await app.count()).toBe(0)
  await app.close()
})

test('an atomic operation cannot depend on a plugin that takes no part in transactions', async () => {
  const otherRef = pluginRef<object>()('@acme/other', 'other')
  const other = definePlugin({ ref: otherRef, version: '1.0.0', setup: () => ({}) })
  const wrong = { ...addTask, deps: { client: tokens.client, other: otherRef } }
  const list = [
    other,
    definePlugin({
      ref: greeterRef,
      version: '1.0.0',
      contributes: [[operations, [wrong]]],
      setup: () => ({ greet: (name) => name }),
    }),
  ] as const
  await rejection(createMinions({ storage: 'memory:', plugins: list }), 'PLUGIN_INVALID', 'addTask', '@acme/other')
})

test('an operation with Standard Schemas is checked by their library and shown as JSON Schema', async () => {
  const wave = defineOperation({
    name: 'greeter.wave',
    summary: 'Wave',
    access: 'read',
    input: z.object({ hand: z.enum(['left', 'right']), times: z.number().default(1) }),
    output: z.object({ waves: z.array(z.string()).min(1) }),
    examples: [{ title: 'Wave once', input: { hand: 'left' } }],
    run: ({ hand, times }) => ({ waves: Array.from({ length: times }, () => hand) }),
  })
  expect(wave.input).toMatchObject({ type: 'object', required: ['hand'], properties: { times: { default: 1 } } })
  const app = await createMinions({
    storage: 'memory:',
    plugins: [
      definePlugin({
        ref: greeterRef,
        version: '1.0.0',
        contributes: [[operations, [wave]]],
        setup: () => ({ greet: (name) => name }),
      }),
    ],
  })
  expect(await runOperation(app, wave, { hand: 'left' })).toEqual({ waves: ['left'] })
  const refused = await rejection(runOperation(app, 'greeter.wave', { hand: 'both' }), 'VALIDATION_FAILED', '/hand')
  expect(refused.details.errors).toMatchObject([{ pointer: '/hand', code: 'standard' }])
  await rejection(runOperation(app, wave, { hand: 'left', times: 0 }), 'OUTPUT_INVALID', '/waves')
  await app.close()
})

test('an operation lists all that is wrong with its input', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `n${index}`)
  const many = defineOperation({
    name: 'greeter.many',
    summary: 'Take many numbers',
    access: 'read',
    input: Type.Object(Object.fromEntries(names.map((name) => [name, Type.Number()]))),
    output: Type.Object({}),
    run: () => ({}),
  })
  const app = await createMinions({
    storage: 'memory:',
    plugins: [
      definePlugin({
        ref: greeterRef,
        version: '1.0.0',
        contributes: [[operations, [many]]],
        setup: () => ({ greet: (name) => name }),
      }),
    ],
  })
  const error = await rejection(runOperation(app, 'greeter.many', {}), 'VALIDATION_FAILED', '/n19')
  expect(error.details.errors).toHaveLength(20)
  await app.close()
})

test('operations of one area share their dependencies, and refuse what their fields do not name', async () => {
  const operation = operationsWith({ greeter: greeterRef })
  const shout = operation({
    name: 'greeter.shout',
    summary: 'Greet loudly',
    access: 'read',
    input: { name: Type.String(), times: Type.Optional(Type.Integer({ default: 2 })) },
    output: Type.String(),
    run: ({ name, times = 1 }, { greeter }) => greeter.greet(name).toUpperCase().repeat(times),
  })
  const ref = definePlugin({
    ref: greeterRef,
    version: '1.0.0',
    contributes: [[operations, [shout]]],
    setup: () => ({ greet: (name) => `hi ${name}` }),
  })
  const app = await createMinions({ storage: 'memory:', plugins: [ref] })
  expect(await runOperation(app, shout, { name: 'bo' })).toBe('HI BOHI BO')
  await rejection(runOperation(app, 'greeter.shout', { name: 'bo', tmies: 3 }), 'VALIDATION_FAILED', 'tmies')
  await app.close()
  for (const wrong of [undefined, null, 5, {}, { name: 'x', input: 5 }, { input: { a: null } }]) {
    expect(() => operation(wrong as never)).toThrowError(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  }
})
