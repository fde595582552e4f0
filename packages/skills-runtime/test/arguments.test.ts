import { isMinionsError } from '@minions/core'
import { describe, expect, it } from 'vitest'
import {
  composeSkill,
  defineSkill,
  inheritedMetadata,
  MessageBus,
  NonRetryableError,
  SkillRegistry,
  SubagentManager,
  validateExecution,
  validateMessage,
  validateSkill,
  validateSubagent,
  WorkerRunner,
} from '../src/index.js'
import { inProcessExecutor } from '../src/jobs/index.js'
import { VirtualClock, watchStore } from '../src/testing/index.js'

const trap = new Proxy(
  {},
  {
    get() {
      throw new Error('trap')
    },
    ownKeys() {
      throw new Error('trap')
    },
  },
)

/** What callers without a compiler pass. */
const odd = [null, 0, 1.5, '', 'x', true, [], () => 1, Symbol('s'), 10n, Object.create(null)] as never[]

/** Calls with each odd value: whatever is refused is refused with an error of ours. */
async function expectOurErrors(call: (value: never) => unknown): Promise<void> {
  for (const value of odd) {
    try {
      await call(value)
    } catch (error) {
      if (!isMinionsError(error)) throw new Error(`${typeof value} leads to ${error}`, { cause: error })
    }
  }
}

const noOp = defineSkill({
  name: 'no-op',
  version: '1.0.0',
  parameters_schema: { type: 'object' },
  execute: () => ({}),
})

function createRegistry(): SkillRegistry {
  const registry = new SkillRegistry()
  registry.registerSkill(noOp)
  return registry
}

describe('arguments that make no sense', () => {
  it.each([
    ['validateSkill', validateSkill],
    ['validateMessage', validateMessage],
    ['validateSubagent', validateSubagent],
    ['validateExecution', validateExecution],
  ])('are an error in the result of %s, which never throws', (_, validate) => {
    for (const value of [...odd, trap]) expect(validate(value)).toMatchObject({ valid: false })
  })

  it.each<[string, (value: never) => unknown]>([
    ['defineSkill', (value) => defineSkill(value)],
    ['composeSkill', (value) => composeSkill(value)],
    ['new SkillRegistry', (value) => new SkillRegistry(value)],
    ['its clock', (value) => new SkillRegistry({ clock: value })],
    ['registerAll', (value) => createRegistry().registerAll(value)],
    ['getSkill', (value) => createRegistry().getSkill(value)],
    ['a version', (value) => createRegistry().getSkill('no-op', value)],
    ['listSkills', (value) => createRegistry().listSkills(value)],
    ['resolveDependencies', (value) => createRegistry().resolveDependencies(value)],
    ['detectCycles', (value) => createRegistry().detectCycles('no-op', value)],
    ['unregister', (value) => createRegistry().unregister(value)],
    ['new WorkerRunner', (value) => new WorkerRunner(value)],
    ['inProcessExecutor', (value) => inProcessExecutor(value)],
    ['inheritedMetadata', (value) => inheritedMetadata('a', value)],
    ['watchStore', (value) => watchStore(value)],
  ])('are refused by %s', async (_, call) => expectOurErrors(call))

  it.each<[string, (value: never) => unknown]>([
    ['new SkillRegistry', (value) => new SkillRegistry(value)],
    ['new SubagentManager', (value) => new SubagentManager(value)],
    ['new MessageBus', (value) => new MessageBus(value)],
    ['inProcessExecutor', (value) => inProcessExecutor(value)],
    ['inheritedMetadata', (value) => inheritedMetadata('a', value)],
  ])('that cannot be read are refused by %s', async (_, call) => {
    await expect((async () => call(trap as never))()).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  it('do not make an error fail', () => {
    const failing = Object.defineProperty({}, 'cause', { get: () => trap[0 as never] })
    expect(new NonRetryableError('It failed.', failing)).toMatchObject({ message: 'It failed.', retryable: false })
    expect(new NonRetryableError(new Array(2 ** 32 - 1) as never).message).toBe('a list')
  })

  it.each(['limits', 'messages', 'workers', 'backoff', 'keep', 'leaseMs', 'shutdownMs', 'retryTimeouts', 'load'])(
    'are refused as the option %s of a manager',
    async (name) => {
      for (const value of ['x', Number.NaN, -1, null]) {
        expect(() => new SubagentManager({ [name]: value })).toThrow(
          expect.objectContaining({ code: 'VALIDATION_FAILED' }),
        )
      }
    },
  )

  it.each(['clock', 'timers', 'ids', 'log', 'registry', 'bus', 'transport', 'storage', 'random'])(
    'are refused as the part %s of a manager',
    async (name) => {
      expect(() => new SubagentManager({ [name]: 'x' })).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
    },
  )

  it('are refused where they would come to nothing', async () => {
    expect(() => new SubagentManager({ load: ['skills'] })).toThrow(/SubagentManager.open/)
    expect(() => new SubagentManager({ messages: { persistence: true } })).toThrow(/needs a store/)
    await expect(SubagentManager.open({ load: 'skills' as never })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })

  it('are refused by a manager', async () => {
    const manager = new SubagentManager({ registry: createRegistry() })
    const id = async () => (await manager.spawn()).agent_id
    for (const method of ['run', 'runChain', 'pause', 'resume', 'cancel', 'get', 'wait'] as const) {
      await expectOurErrors((value) => manager[method](value, 'no-op' as never))
    }
    await expectOurErrors(async (value) => manager.run(await id(), value))
    await expectOurErrors(async (value) => manager.run(await id(), 'no-op', value))
    await expectOurErrors(async (value) => manager.run(await id(), 'no-op', {}, value))
    await expectOurErrors(async (value) => manager.run(await id(), 'no-op', {}, { version: value }))
    await expectOurErrors(async (value) => manager.run(await id(), 'no-op', {}, { signal: value }))
    await expectOurErrors(async (value) => manager.runChain(await id(), 'no-op', value))
    await expectOurErrors(async (value) => manager.resume(await id(), value))
    await expectOurErrors((value) => manager.list(value))
    await expectOurErrors((value) => manager.executions({ status: value }))
    await expectOurErrors((value) => new SubagentManager().shutdown(value))
    for (const metadata of [5, '', [], true]) {
      await expect(manager.spawn({ metadata } as never)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    }
  })

  it('are refused by a bus', async () => {
    const bus = new MessageBus()
    const request = await bus.dispatch({ sender_id: 'a', recipient_id: 'b', message_type: 'request', payload: {} })
    const timeout = 1
    await expectOurErrors((value) => new MessageBus(value))
    await expectOurErrors((value) => new MessageBus({ transport: value }))
    await expectOurErrors((value) => bus.publish(value, {}))
    await expectOurErrors((value) => bus.publish('t', value))
    await expectOurErrors((value) => bus.publish('t', {}, value))
    await expectOurErrors((value) => bus.send(value, {}))
    await expectOurErrors((value) => bus.dispatch(value))
    await expectOurErrors((value) => bus.request(value, {}, { timeout }))
    await expectOurErrors((value) => bus.request('b', {}, { timeout, signal: value }))
    await expectOurErrors((value) => bus.reply(value, {}))
    await expectOurErrors((value) => bus.reply(request, value))
    await expectOurErrors((value) => bus.receive(value, { timeout }))
    await expectOurErrors((value) => bus.receive('c', { timeout, signal: value }))
    await expectOurErrors((value) => bus.tryReceive(value))
    await expectOurErrors((value) => bus.closeMailbox(value))
    await expectOurErrors((value) => new MessageBus().close(value))
    for (const wrong of [Number.NaN, -1, '5', Symbol('s')]) {
      const options = { timeout: wrong as number }
      await expect(bus.request('b', {}, options)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
      await expect(bus.receive('c', options)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    }
  })

  it('do not include a time without end', async () => {
    const clock = new VirtualClock()
    const bus = new MessageBus(clock.parts)
    const answer = bus.request('b', {}, { timeout: Number.POSITIVE_INFINITY })
    const received = bus.receive('c', { timeout: Number.POSITIVE_INFINITY })
    expect(clock.pending).toBe(0)
    const request = await bus.receive('b')
    await bus.reply(request, { n: 1 })
    await bus.send('c', { n: 2 })
    expect((await answer).payload).toEqual({ n: 1 })
    expect((await received).payload).toEqual({ n: 2 })
  })
})
