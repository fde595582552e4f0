import { describe, expect, it } from 'vitest'
import { scriptedSkill, settle } from '../../src/testing/index.js'
import { backends, stores } from '../support/backends.js'
import { coded, deferred, setUp } from '../support/runtime.js'

const quick = () => scriptedSkill('quick', [{ return: { done: true } }])
const slow = () => scriptedSkill('slow', [{ hang: true }], { timeout: 3600 })
const failing = () => scriptedSkill('failing', [{ throw: new Error('no way') }])
const stepwise = (start: Promise<unknown> = Promise.resolve()) =>
  scriptedSkill('stepwise', [
    [{ wait: () => start }, { checkpoint: { at: 1 } }, { checkpoint: { at: 2 } }, { return: { done: true } }],
  ])

describe.each(backends)('subagents on $name', (backend) => {
  it('are spawned idle, with what they are given', async () => {
    const { manager } = await setUp(backend)
    const agent = await manager.spawn({ name: 'Navigator-1', metadata: { priority: 'high', toString: 'x' } })
    expect(agent).toMatchObject({ name: 'Navigator-1', state: 'idle', metadata: { priority: 'high', toString: 'x' } })
    expect(await manager.get(agent.agent_id)).toEqual(agent)
    expect(await manager.spawn()).toMatchObject({ name: null, metadata: {}, results: {} })
  })

  it.each([
    ['a long name', { name: 'x'.repeat(101) }],
    ['a name that is no text', { name: 7 }],
    ['too much metadata', { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`k${i}`, i])) }],
    ['metadata that is no object', { metadata: [1] }],
    ['metadata that is not JSON', { metadata: { a: 1n } }],
    ['a state', { state: 'running' }],
    ['nothing at all', null],
  ])('are refused with %s', async (_, input) => {
    const { manager } = await setUp(backend)
    await expect(manager.spawn(input as never)).rejects.toMatchObject(coded('VALIDATION_FAILED'))
    expect(await manager.list()).toEqual([])
  })

  it('take names and metadata up to the limit', async () => {
    const { manager } = await setUp(backend)
    const metadata = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`k${index}`, index]))
    expect(await manager.spawn({ name: '😀'.repeat(100), metadata })).toMatchObject({ metadata })
  })

  it('are not found under ids that nobody has', async () => {
    const { manager } = await setUp(backend, [quick()])
    for (const id of ['none', '', '__proto__', 'a\0b', '\uD800', 'x'.repeat(5000)]) {
      for (const call of ['get', 'pause', 'resume', 'cancel', 'wait'] as const) {
        await expect(manager[call](id)).rejects.toMatchObject(coded('NOT_FOUND'))
      }
      await expect(manager.run(id, 'quick')).rejects.toMatchObject(coded('NOT_FOUND'))
    }
    await expect(manager.pause('a\0b')).rejects.toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('none') }),
    )
  })

  it('go from idle to running to completed, and no further', async () => {
    const { manager } = await setUp(backend, [quick()])
    const { agent_id } = await manager.spawn()
    expect(await manager.run(agent_id, 'quick')).toEqual({ done: true })
    expect(await manager.get(agent_id)).toMatchObject({ state: 'completed', results: { quick: { done: true } } })
    const conflict = coded('CONFLICT', { details: { agent_id, from: 'completed' } })
    await expect(manager.run(agent_id, 'quick')).rejects.toMatchObject(conflict)
    await expect(manager.runChain(agent_id, 'quick')).rejects.toMatchObject(conflict)
    await expect(manager.pause(agent_id)).rejects.toMatchObject(conflict)
    await expect(manager.resume(agent_id)).rejects.toMatchObject(conflict)
    await expect(manager.cancel(agent_id)).rejects.toMatchObject(conflict)
  })

  it('go from running to failed, with the error, and no further', async () => {
    const { manager } = await setUp(backend, [failing(), quick()])
    const { agent_id } = await manager.spawn()
    await expect(manager.run(agent_id, 'failing')).rejects.toMatchObject(coded('SKILL_FAILED'))
    expect(await manager.get(agent_id)).toMatchObject({ state: 'failed', error: 'no way', results: {} })
    for (const call of ['pause', 'resume', 'cancel'] as const) {
      await expect(manager[call](agent_id)).rejects.toMatchObject(coded('CONFLICT', { details: { from: 'failed' } }))
    }
    await expect(manager.run(agent_id, 'quick')).rejects.toMatchObject(coded('CONFLICT'))
  })

  it('cannot be paused or resumed while they are idle', async () => {
    const { manager } = await setUp(backend)
    const { agent_id } = await manager.spawn()
    await expect(manager.pause(agent_id)).rejects.toMatchObject(coded('CONFLICT', { details: { from: 'idle' } }))
    await expect(manager.resume(agent_id)).rejects.toMatchObject(coded('CONFLICT', { details: { from: 'idle' } }))
  })

  it('go from idle to failed when the skill is unknown or the parameters do not fit', async () => {
    const picky = scriptedSkill('picky', undefined, {
      parameters_schema: { type: 'object', required: ['a'], properties: { a: { type: 'number' } } },
    })
    const { manager } = await setUp(backend, [picky])
    const unknown = await manager.spawn()
    await expect(manager.run(unknown.agent_id, 'none')).rejects.toMatchObject(coded('NOT_FOUND'))
    expect(await manager.get(unknown.agent_id)).toMatchObject({ state: 'failed', error: expect.stringMatching(/none/) })
    for (const params of [{ a: 'x' }, {}, [], 'x', null]) {
      const { agent_id } = await manager.spawn()
      await expect(manager.run(agent_id, 'picky', params as object)).rejects.toMatchObject(coded('VALIDATION_FAILED'))
      expect(await manager.get(agent_id)).toMatchObject({ state: 'failed', error: expect.stringMatching(/picky/) })
    }
    expect(picky.calls).toEqual([])
    expect(await manager.executions()).toEqual([])
  })

  it('are left alone when the call is wrong but they are not idle', async () => {
    const { manager } = await setUp(backend, [slow()])
    const { agent_id } = await manager.spawn()
    const running = manager.run(agent_id, 'slow')
    running.catch(() => undefined)
    await settle()
    await expect(manager.run(agent_id, 'none')).rejects.toMatchObject(coded('CONFLICT'))
    expect(await manager.get(agent_id)).toMatchObject({ state: 'running' })
    await manager.cancel(agent_id)
    await expect(running).rejects.toMatchObject(coded('CANCELLED'))
  })

  it('pause at the next checkpoint and go on from it', async () => {
    const asked = deferred()
    const skill = stepwise(asked.promise)
    const { manager } = await setUp(backend, [skill])
    const { agent_id } = await manager.spawn()
    manager.events.on('execution.started', () => void manager.pause(agent_id).then(asked.resolve))
    const running = manager.run(agent_id, 'stepwise')
    await asked.promise
    await settle()
    expect(await manager.get(agent_id)).toMatchObject({ state: 'paused', assigned_skill: 'stepwise' })
    expect(await manager.executions({ agent_id })).toMatchObject([{ status: 'pending' }])
    await expect(manager.pause(agent_id)).rejects.toMatchObject(coded('CONFLICT', { details: { from: 'paused' } }))
    await expect(manager.run(agent_id, 'stepwise')).rejects.toMatchObject(coded('CONFLICT'))
    expect(await manager.resume(agent_id)).toMatchObject({ state: 'running' })
    expect(await running).toEqual({ done: true })
    expect(await manager.get(agent_id)).toMatchObject({ state: 'completed' })
    expect(skill.calls).toHaveLength(1)
  })

  it('stay running until the checkpoint is reached, and a pause can be called off before', async () => {
    let release = () => {}
    const skill = scriptedSkill('gated', [
      [{ wait: () => new Promise<void>((resolve) => (release = resolve)) }, { checkpoint: 1 }, { return: {} }],
    ])
    const { manager } = await setUp(backend, [skill])
    const { agent_id } = await manager.spawn()
    const running = manager.run(agent_id, 'gated')
    await settle()
    expect(await manager.pause(agent_id)).toMatchObject({ state: 'running' })
    expect(await manager.pause(agent_id)).toMatchObject({ state: 'running' })
    expect(await manager.get(agent_id)).toMatchObject({ state: 'running' })
    expect(await manager.resume(agent_id)).toMatchObject({ state: 'running' })
    await expect(manager.resume(agent_id)).rejects.toMatchObject(coded('CONFLICT', { details: { from: 'running' } }))
    release()
    expect(await running).toEqual({})
  })

  it('complete when a pause was asked for too late', async () => {
    const { manager } = await setUp(backend, [quick()])
    const { agent_id } = await manager.spawn()
    manager.events.on('execution.started', () => void manager.pause(agent_id).catch(() => undefined))
    expect(await manager.run(agent_id, 'quick')).toEqual({ done: true })
    expect(await manager.get(agent_id)).toMatchObject({ state: 'completed' })
  })

  it('pause between the skills of a chain', async () => {
    const { promise, resolve } = deferred()
    const first = scriptedSkill('first', [[{ wait: () => promise }, { return: { done: true } }]])
    const second = scriptedSkill('second', undefined, { dependencies: ['first'] })
    const { manager } = await setUp(backend, [first, second])
    const { agent_id } = await manager.spawn()
    const running = manager.runChain(agent_id, 'second')
    await settle()
    await manager.pause(agent_id)
    resolve()
    await settle()
    expect(await manager.get(agent_id)).toMatchObject({ state: 'paused', results: { first: { done: true } } })
    expect(second.calls).toEqual([])
    await manager.resume(agent_id)
    expect(await running).toEqual({ first: { done: true }, second: {} })
    expect(await manager.executions({ agent_id })).toHaveLength(2)
  })

  it.each(['idle', 'queued', 'running', 'paused'])('can be cancelled while %s', async (when) => {
    const { manager } = await setUp(backend, [slow(), stepwise()], { limits: { agents: 1 } })
    const { agent_id } = await manager.spawn()
    let running: Promise<unknown> | undefined
    if (when === 'queued') {
      const other = await manager.spawn()
      manager.run(other.agent_id, 'slow').catch(() => undefined)
      await settle()
    }
    if (when === 'paused') manager.events.on('execution.started', () => void manager.pause(agent_id))
    if (when !== 'idle') running = manager.run(agent_id, when === 'paused' ? 'stepwise' : 'slow')
    running?.catch(() => undefined)
    await settle()
    await settle()
    const state = when === 'queued' ? 'idle' : when
    expect(await manager.get(agent_id)).toMatchObject({ state })
    expect(await manager.cancel(agent_id)).toMatchObject({
      state: 'failed',
      error: 'cancelled',
      completed_at: expect.any(String),
    })
    if (running) await expect(running).rejects.toMatchObject(coded('CANCELLED'))
    const executions = await manager.executions({ agent_id })
    if (state === 'idle') expect(executions).toEqual([])
    else expect(executions).toMatchObject([{ status: 'failed', error: 'cancelled', result: null, duration_ms: 0 }])
    await expect(manager.cancel(agent_id)).rejects.toMatchObject(coded('CONFLICT'))
  })

  it('can be cancelled by a signal', async () => {
    const { manager } = await setUp(backend, [slow()])
    for (const early of [true, false]) {
      const controller = new AbortController()
      const { agent_id } = await manager.spawn()
      if (early) controller.abort()
      const running = manager.run(agent_id, 'slow', {}, { signal: controller.signal })
      running.catch(() => undefined)
      await settle()
      controller.abort()
      await expect(running).rejects.toMatchObject(coded('CANCELLED'))
      expect(await manager.wait(agent_id)).toMatchObject({ state: 'failed', error: 'cancelled' })
    }
  })

  it('can be waited for', async () => {
    const { manager, clock } = await setUp(backend, [quick(), failing()])
    const good = await manager.spawn()
    const bad = await manager.spawn()
    const waiting = [manager.wait(good.agent_id), manager.wait(good.agent_id), manager.wait(bad.agent_id)]
    await manager.run(good.agent_id, 'quick')
    await manager.run(bad.agent_id, 'failing').catch(() => undefined)
    const states = (await clock.until(Promise.all(waiting))).map(({ state }) => state)
    expect(states).toEqual(['completed', 'completed', 'failed'])
    expect(await manager.wait(good.agent_id)).toMatchObject({ state: 'completed' })
    const idle = await manager.spawn()
    const left = manager.wait(idle.agent_id)
    left.catch(() => undefined)
    await settle()
    await manager.shutdown()
    await expect(left).rejects.toMatchObject(coded('CLOSED'))
  })

  it('are listed and counted', async () => {
    const { manager, clock } = await setUp(backend, [quick(), failing()])
    const ids: string[] = []
    for (const name of ['one', 'two', 'three']) {
      ids.push((await manager.spawn({ name })).agent_id)
      await clock.advance(5)
    }
    await manager.run(ids[0] as string, 'quick')
    await manager.run(ids[1] as string, 'failing').catch(() => undefined)
    const names = async (filter: object) => (await manager.list(filter)).map(({ name }) => name)
    expect(await names({})).toEqual(['one', 'two', 'three'])
    expect(await names({ limit: 2 })).toEqual(['one', 'two'])
    expect(await names({ limit: 0 })).toEqual([])
    expect(await names({ state: 'idle' })).toEqual(['three'])
    expect(await names({ state: ['idle', 'failed'] })).toEqual(['two', 'three'])
    expect(await names({ name: 'two', state: 'failed' })).toEqual(['two'])
    expect(await names({ assigned_skill: 'quick' })).toEqual(['one'])
    expect(await manager.executions({ status: 'failed' })).toMatchObject([{ skill_name: 'failing' }])
    expect(await manager.executions({ skill_name: 'quick', agent_id: ids[0] as string })).toHaveLength(1)
    expect(await manager.executions({ agentId: ids[2] } as object)).toEqual([])
    expect(await manager.executions({ limit: 1 })).toHaveLength(1)
    for (const filter of [{ nonsense: 1 }, { state: 7 }, { limit: -1 }, JSON.parse('{"__proto__":"x"}')]) {
      await expect(manager.list(filter)).rejects.toMatchObject(coded('VALIDATION_FAILED'))
    }
    expect(await manager.stats()).toEqual({
      agents: { idle: 1, running: 0, paused: 0, completed: 1, failed: 1 },
      executions: { pending: 0, success: 1, failed: 1, timeout: 0 },
      running: 0,
      queued: 0,
      skills: 2,
    })
  })

  it('cannot be changed from outside', async () => {
    const { manager } = await setUp(backend, [quick()])
    const spawned = await manager.spawn({ metadata: { list: [1] } })
    const before = structuredClone(spawned)
    ;(spawned.metadata as { list: number[] }).list.push(2)
    const read = await manager.get(spawned.agent_id)
    Object.assign(read.results, { quick: {} })
    const [listed] = await manager.list()
    Object.assign(listed as object, { state: 'completed' })
    expect(await manager.get(spawned.agent_id)).toEqual(before)
  })

  it('let one of two at the same time win', async () => {
    const skill = quick()
    const { manager } = await setUp(backend, [skill])
    const { agent_id } = await manager.spawn()
    const both = await Promise.allSettled([manager.run(agent_id, 'quick'), manager.run(agent_id, 'quick')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } })
    expect(skill.calls).toHaveLength(1)
  })
})

describe.each(stores)('subagents of two processes on $name', (backend) => {
  it('let one of two transitions win, whichever they are', async () => {
    const skill = quick()
    const { manager, another } = await setUp(backend, [skill])
    const other = await another([skill])
    for (let round = 0; round < 5; round++) {
      const { agent_id } = await manager.spawn()
      const both = await Promise.allSettled([manager.run(agent_id, 'quick'), other.run(agent_id, 'quick')])
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } })
      expect(await manager.executions({ agent_id })).toHaveLength(1)
    }
    expect(skill.calls).toHaveLength(5)
    const { agent_id } = await manager.spawn()
    const cancels = await Promise.allSettled([manager.cancel(agent_id), other.cancel(agent_id)])
    expect(cancels.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(cancels.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } })
  })

  it('can be paused, resumed, cancelled and waited for from the other one', async () => {
    const asked = deferred()
    const { manager, another, clock } = await setUp(backend, [stepwise(asked.promise), slow()])
    const other = await another()
    const { agent_id } = await manager.spawn()
    manager.events.once('execution.started', () => void other.pause(agent_id).then(asked.resolve))
    const running = manager.run(agent_id, 'stepwise')
    await asked.promise
    await settle()
    expect(await other.get(agent_id)).toMatchObject({ state: 'paused' })
    expect(await clock.until(other.resume(agent_id))).toMatchObject({
      state: expect.stringMatching(/running|completed/),
    })
    expect(await clock.until(running)).toEqual({ done: true })

    const second = await manager.spawn()
    const slowly = manager.run(second.agent_id, 'slow')
    slowly.catch(() => undefined)
    await settle()
    const waiting = other.wait(second.agent_id)
    await expect(clock.until(other.resume(second.agent_id))).rejects.toMatchObject(coded('CONFLICT'))
    await other.cancel(second.agent_id)
    await expect(clock.until(slowly)).rejects.toMatchObject(coded('LEASE_LOST'))
    expect(await clock.until(waiting)).toMatchObject({ state: 'failed', error: 'cancelled' })
    expect(await manager.executions({ agent_id: second.agent_id })).toMatchObject([{ error: 'cancelled' }])
  })
})
