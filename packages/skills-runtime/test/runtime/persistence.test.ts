import type { Store } from '@minions/core/storage'
import { describe, expect, it } from 'vitest'
import { composeSkill } from '../../src/index.js'
import {
  checkpointsCollection,
  executionsCollection,
  leasesCollection,
  pauseRequestsCollection,
  runsCollection,
  skillsCollection,
  subagentsCollection,
} from '../../src/runtime/state/collections.js'
import { injectFaults, type Script, scriptedSkill, settle } from '../../src/testing/index.js'
import { navigate } from '../examples.js'
import { stores } from '../support/backends.js'
import { coded, deferred, setUp } from '../support/runtime.js'

describe('collections', () => {
  it('have exactly the indexes of the specification', () => {
    const { declaration: subagents } = subagentsCollection
    expect(subagents.key).toEqual(['agent_id'])
    expect(subagents.indexes).toEqual([['state'], ['created_at']])
    const { declaration: executions } = executionsCollection
    expect(executions.key).toEqual(['execution_id'])
    expect(executions.indexes).toEqual([['agent_id'], ['skill_name'], ['status'], ['started_at']])
    expect(executions.references).toEqual([{ columns: ['agent_id'], collection: 'subagents' }])
    expect(skillsCollection.declaration).toMatchObject({ key: ['name', 'version'], indexes: [] })
  })
})

describe.each(stores)('what is stored on $name', (backend) => {
  const own = [leasesCollection, checkpointsCollection, pauseRequestsCollection, runsCollection]

  it('is in collections of its own while a run is under way, and gone afterwards', async () => {
    const gates = [deferred(), deferred()]
    const skill = scriptedSkill('skill', [
      [{ checkpoint: { at: 1 } }, { wait: () => gates[0]?.promise }, { checkpoint: 2 }, { return: {} }],
    ])
    const { manager, store } = await setUp(backend, [skill])
    const counts = () => Promise.all(own.map((collection) => (store as Store).count(collection)))
    const { agent_id } = await manager.spawn()
    const running = manager.run(agent_id, 'skill')
    await settle()
    await manager.pause(agent_id)
    expect(await counts()).toEqual([1, 1, 1, 1])
    expect(await store?.get(subagentsCollection, agent_id)).toEqual(await manager.get(agent_id))
    expect(Object.keys(await manager.get(agent_id)).sort()).toEqual([
      'agent_id',
      'assigned_skill',
      'completed_at',
      'created_at',
      'error',
      'metadata',
      'name',
      'results',
      'skill_params',
      'started_at',
      'state',
    ])
    gates[0]?.resolve()
    await settle()
    expect(await counts()).toEqual([1, 1, 0, 1])
    await manager.resume(agent_id)
    await running
    expect(await counts()).toEqual([0, 0, 0, 0])
    const [execution] = await manager.executions()
    expect(await store?.get(executionsCollection, execution?.execution_id as string)).toEqual(execution)
    expect(Object.keys(execution as object)).toHaveLength(12)
  })

  it('includes the skills, before every run and when it is flushed', async () => {
    const skill = scriptedSkill('skill')
    const { manager, store } = await setUp(backend, [skill])
    const names = async () => (await (store as Store).find(skillsCollection)).items.map(({ name }) => name)
    expect(await names()).toEqual([])
    await manager.run((await manager.spawn()).agent_id, 'skill')
    expect(await names()).toEqual(['skill'])
    manager.registry.registerSkill(scriptedSkill('other'))
    await manager.flush()
    expect((await names()).sort()).toEqual(['other', 'skill'])
    manager.registry.unregister('other')
    await manager.flush()
    expect(await names()).toEqual(['skill'])
  })

  it('comes back as records that run once their code is registered', async () => {
    const { manager, another } = await setUp(backend, [{ ...navigate, execute: () => ({}) }])
    await manager.flush()
    const second = await another([])
    expect(second.registry.getSkill('navigate')).toEqual({ ...navigate })
    const { agent_id } = await second.spawn()
    await expect(second.run(agent_id, 'navigate', { location: 'x' })).rejects.toMatchObject(coded('SKILL_NOT_BOUND'))
    expect(() =>
      second.registry.registerSkill({ ...navigate, returns_schema: { type: 'object' }, execute: () => ({}) }),
    ).toThrow(expect.objectContaining({ code: 'SKILL_MISMATCH' }))
    second.registry.registerSkill({ ...navigate, execute: () => ({ status: 'there' }) })
    expect(await second.run(agent_id, 'navigate', { location: 'x' })).toEqual({ status: 'there' })
  })

  it('is not overwritten by a skill with other schemas', async () => {
    const { manager, another } = await setUp(backend, [scriptedSkill('skill')])
    const second = await another([
      scriptedSkill('skill', undefined, { parameters_schema: { type: 'object', title: 'x' } }),
    ])
    await manager.flush()
    await expect(second.flush()).rejects.toMatchObject(coded('SKILL_MISMATCH'))
    const { agent_id } = await second.spawn()
    await expect(second.run(agent_id, 'skill')).rejects.toMatchObject(coded('SKILL_MISMATCH'))
    expect(await second.get(agent_id)).toMatchObject({ state: 'idle' })
  })
})

describe.each(stores)('taking over on $name', (backend) => {
  /** Runs until something hangs, and then loses the process: its heart stops beating and nothing is committed. */
  async function dieDuring(scripts: Record<string, readonly Script[]>, start: 'run' | 'runChain', name: string) {
    const names = Object.keys(scripts)
    const dependencies = (index: number) => (index === 0 ? [] : [names[index - 1] as string])
    const skills = names.map((each, index) =>
      scriptedSkill(each, scripts[each], {
        timeout: 3600,
        ...(start === 'runChain' && { dependencies: dependencies(index) }),
      }),
    )
    const setup = await setUp(backend, skills)
    const dead = injectFaults(setup.store as Store)
    const first = await setup.another(skills, { storage: dead })
    const { agent_id } = await first.spawn()
    const lost = first[start](agent_id, name)
    lost.catch(() => undefined)
    await settle()
    dead.inject(() => 'before')
    return { ...setup, first, skills, agent_id, lost }
  }

  it('continues from the last checkpoint, as the same execution with the same key', async () => {
    const { manager, clock, skills, agent_id } = await dieDuring(
      { skill: [[{ checkpoint: { page: 1 } }, { checkpoint: { page: 2 } }, { hang: true }], { return: { ok: true } }] },
      'run',
      'skill',
    )
    const resumed = await clock.until(manager.resume(agent_id))
    expect(resumed).toMatchObject({ state: 'running' })
    expect(await clock.until(manager.wait(agent_id))).toMatchObject({
      state: 'completed',
      results: { skill: { ok: true } },
    })
    const calls = skills[0]?.calls ?? []
    expect(calls.map(({ state }) => state)).toEqual([undefined, { page: 2 }])
    expect(calls[0]?.idempotencyKey).toBe(calls[1]?.idempotencyKey)
    expect(await manager.executions({ agent_id })).toMatchObject([{ status: 'success', retry_count: 0 }])
  })

  it('is left paused by a process that cannot run it', async () => {
    const gate = deferred()
    const skill = scriptedSkill(
      'skill',
      [[{ checkpoint: 1 }, { wait: () => gate.promise }, { checkpoint: 2 }, { hang: true }], { return: { ok: true } }],
      { timeout: 3600 },
    )
    const { manager, another, clock, store } = await setUp(backend, [skill])
    const dead = injectFaults(store as Store)
    const first = await another([skill], { storage: dead })
    const { agent_id } = await first.spawn()
    first.run(agent_id, 'skill').catch(() => undefined)
    await settle()
    await first.pause(agent_id)
    gate.resolve()
    await settle()
    expect(await manager.get(agent_id)).toMatchObject({ state: 'paused' })
    dead.inject(() => 'before')
    const other = await another([])
    await expect(clock.until(other.resume(agent_id))).rejects.toMatchObject(coded('SKILL_NOT_BOUND'))
    expect(await manager.get(agent_id)).toMatchObject({ state: 'paused' })
    await clock.until(manager.resume(agent_id))
    expect(await clock.until(manager.wait(agent_id))).toMatchObject({
      state: 'completed',
      results: { skill: { ok: true } },
    })
  })

  it('waits until the lease has run out', async () => {
    const { manager, clock, agent_id, skills } = await dieDuring(
      { skill: [{ hang: true }, { return: {} }] },
      'run',
      'skill',
    )
    const before = clock.now
    let isResumed = false
    const resuming = manager.resume(agent_id).then(() => {
      isResumed = true
    })
    await clock.advance(4000)
    expect(isResumed).toBe(false)
    expect(skills[0]?.calls).toHaveLength(1)
    await clock.until(resuming)
    expect(clock.now - before).toBeLessThanOrEqual(6000)
    await clock.until(manager.wait(agent_id))
  })

  it('is refused while the other process is alive', async () => {
    const skill = scriptedSkill('skill', [{ hang: true }], { timeout: 3600 })
    const { manager, another, clock } = await setUp(backend, [skill])
    const other = await another()
    const { agent_id } = await manager.spawn()
    manager.run(agent_id, 'skill').catch(() => undefined)
    await settle()
    await expect(clock.until(other.resume(agent_id))).rejects.toMatchObject(coded('CONFLICT'))
    expect(skill.calls).toHaveLength(1)
  })

  it('lets one of two win', async () => {
    const { manager, another, clock, agent_id, skills } = await dieDuring(
      { skill: [{ hang: true }, { return: {} }] },
      'run',
      'skill',
    )
    const other = await another()
    const both = await clock.until(Promise.allSettled([manager.resume(agent_id), other.resume(agent_id)]))
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } })
    await clock.until(manager.wait(agent_id))
    expect(skills[0]?.calls).toHaveLength(2)
  })

  it('goes on with a chain where it stopped, and never repeats a skill that was done', async () => {
    const { manager, clock, skills, agent_id } = await dieDuring(
      { one: [{ return: { n: 1 } }], two: [{ hang: true }, { return: { n: 2 } }], three: [{ return: { n: 3 } }] },
      'runChain',
      'three',
    )
    await clock.until(manager.resume(agent_id))
    expect(await clock.until(manager.wait(agent_id))).toMatchObject({
      state: 'completed',
      results: { one: { n: 1 }, two: { n: 2 }, three: { n: 3 } },
    })
    expect(skills.map(({ calls }) => calls.length)).toEqual([1, 2, 1])
    const executions = await manager.executions({ agent_id })
    expect(executions.map(({ skill_name, status }) => `${skill_name} ${status}`)).toEqual([
      'one success',
      'two success',
      'three success',
    ])
  })

  it('goes on with a composed skill where it stopped', async () => {
    const one = scriptedSkill('one', [{ return: { n: 1 } }])
    const two = scriptedSkill('two', [[{ checkpoint: 'half' }, { hang: true }], { return: { n: 2 } }], {
      timeout: 3600,
    })
    const composed = composeSkill({ name: 'composed', timeout: 3600, steps: [{ skill: 'one' }, { skill: 'two' }] })
    const setup = await setUp(backend, [one, two, composed])
    const dead = injectFaults(setup.store as Store)
    const first = await setup.another([one, two, composed], { storage: dead })
    const { agent_id } = await first.spawn()
    first.run(agent_id, 'composed').catch(() => undefined)
    await settle()
    dead.inject(() => 'before')
    const { manager, clock } = setup
    await clock.until(manager.resume(agent_id))
    expect(await clock.until(manager.wait(agent_id))).toMatchObject({
      state: 'completed',
      results: { composed: { one: { n: 1 }, two: { n: 2 } } },
    })
    expect(one.calls).toHaveLength(1)
    expect(two.calls.map(({ state }) => state)).toEqual([undefined, 'half'])
    expect(two.calls[0]?.idempotencyKey).toBe(two.calls[1]?.idempotencyKey)
    expect(await manager.executions({ agent_id })).toHaveLength(3)
  })

  it('needs functions for parameters again, and says which', async () => {
    const one = scriptedSkill('one', [{ hang: true }, { return: { n: 1 } }], { timeout: 3600 })
    const two = scriptedSkill('two', undefined, { dependencies: ['one'] })
    const setup = await setUp(backend, [one, two])
    const dead = injectFaults(setup.store as Store)
    const first = await setup.another([one, two], { storage: dead })
    const { agent_id } = await first.spawn()
    first.runChain(agent_id, 'two', { two: ({ one: { n } = {} }) => ({ n }) as object }).catch(() => undefined)
    await settle()
    dead.inject(() => 'before')
    const { manager, clock } = setup
    await expect(clock.until(manager.resume(agent_id))).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      message: expect.stringMatching(/two/),
    })
    expect(await manager.get(agent_id)).toMatchObject({ state: 'running' })
    await clock.until(manager.resume(agent_id, { params: { two: (results) => ({ n: results.one?.n }) } }))
    await clock.until(manager.wait(agent_id))
    expect(two.calls[0]?.params).toEqual({ n: 1 })
  })

  it('continues what was paused when its process died', async () => {
    // The checkpoint comes only after the request to pause is stored, however slow the store is.
    const asked = deferred()
    const skill = scriptedSkill('skill', [
      [{ wait: () => asked.promise }, { checkpoint: 7 }, { return: {} }],
      { return: { resumed: true } },
    ])
    const setup = await setUp(backend, [skill])
    const dead = injectFaults(setup.store as Store)
    const first = await setup.another([skill], { storage: dead })
    const { agent_id } = await first.spawn()
    let ask: Promise<unknown> | undefined
    first.events.on('execution.started', () => {
      ask = setup.manager.pause(agent_id).then(() => asked.resolve())
    })
    first.run(agent_id, 'skill').catch(() => undefined)
    await settle()
    await ask
    await settle()
    expect(await setup.manager.get(agent_id)).toMatchObject({ state: 'paused' })
    dead.inject(() => 'before')
    await setup.clock.until(setup.manager.resume(agent_id))
    expect(await setup.clock.until(setup.manager.wait(agent_id))).toMatchObject({
      results: { skill: { resumed: true } },
    })
    expect(skill.calls.map(({ state }) => state)).toEqual([undefined, 7])
  })

  it('keeps a process that wakes up late from committing', async () => {
    const gate = deferred()
    const skill = scriptedSkill(
      'skill',
      [[{ wait: () => gate.promise }, { return: { from: 'the late one' } }], { return: { from: 'the new one' } }],
      { timeout: 3600 },
    )
    const setup = await setUp(backend, [skill])
    const asleep = injectFaults(setup.store as Store)
    const first = await setup.another([skill], { storage: asleep })
    const { agent_id } = await first.spawn()
    const lost = first.run(agent_id, 'skill')
    lost.catch(() => undefined)
    await settle()
    asleep.inject(() => 'before')
    await setup.clock.until(setup.manager.resume(agent_id))
    await setup.clock.until(setup.manager.wait(agent_id))
    asleep.inject(undefined)
    gate.resolve()
    await expect(setup.clock.until(lost)).rejects.toMatchObject(coded('LEASE_LOST'))
    expect(await setup.manager.get(agent_id)).toMatchObject({ results: { skill: { from: 'the new one' } } })
    expect(await setup.manager.executions({ agent_id })).toMatchObject([{ result: { from: 'the new one' } }])
  })

  it('is refused without the code, and nothing is lost', async () => {
    const { another, clock, agent_id } = await dieDuring({ skill: [{ hang: true }, { return: {} }] }, 'run', 'skill')
    const bare = await another([])
    await expect(clock.until(bare.resume(agent_id))).rejects.toMatchObject(coded('SKILL_NOT_BOUND'))
    expect(await bare.get(agent_id)).toMatchObject({ state: 'running' })
    bare.registry.registerSkill(scriptedSkill('skill', undefined, { timeout: 3600 }))
    await clock.until(bare.resume(agent_id))
    expect(await clock.until(bare.wait(agent_id))).toMatchObject({ state: 'completed' })
  })
})

describe.each(stores)('shutting down on $name', (backend) => {
  it('breaks off runs at their next checkpoint and leaves them to be resumed at once', async () => {
    const gate = deferred()
    const skill = scriptedSkill('skill', [
      [{ wait: () => gate.promise }, { checkpoint: 'here' }, { return: {} }],
      { return: { resumed: true } },
    ])
    const { manager, another, clock } = await setUp(backend, [skill])
    const { agent_id } = await manager.spawn()
    const running = manager.run(agent_id, 'skill')
    running.catch(() => undefined)
    await settle()
    const closing = manager.shutdown(1000)
    gate.resolve()
    await closing
    await expect(running).rejects.toMatchObject(coded('INTERRUPTED'))
    await expect(manager.spawn()).rejects.toMatchObject(coded('CLOSED'))
    await expect(manager.run(agent_id, 'skill')).rejects.toMatchObject(coded('CLOSED'))
    const other = await another()
    expect(await other.get(agent_id)).toMatchObject({ state: 'running' })
    await other.resume(agent_id)
    expect(await clock.until(other.wait(agent_id))).toMatchObject({ results: { skill: { resumed: true } } })
    expect(skill.calls.map(({ state }) => state)).toEqual([undefined, 'here'])
  })

  it('lets runs finish within the deadline, and breaks off those that do not', async () => {
    const gate = deferred()
    const quick = scriptedSkill('quick', [[{ wait: () => gate.promise }, { return: { ok: 1 } }]])
    const endless = scriptedSkill('endless', [{ ignoreSignal: true }], { timeout: 3600 })
    const { manager, clock } = await setUp(backend, [quick, endless], { limits: { agents: 2 } })
    const ids = await Promise.all(['a', 'b', 'c'].map(async (name) => (await manager.spawn({ name })).agent_id))
    const runs = ids.map((id, index) => manager.run(id, index === 0 ? 'quick' : 'endless'))
    for (const run of runs) run.catch(() => undefined)
    await settle()
    const closing = manager.shutdown(2000)
    gate.resolve()
    await clock.until(closing)
    expect(await Promise.allSettled(runs)).toMatchObject([
      { value: { ok: 1 } },
      { reason: { code: 'INTERRUPTED' } },
      { reason: { code: 'CLOSED' } },
    ])
    const states = await Promise.all(ids.map(async (id) => (await manager.get(id)).state))
    expect(states).toEqual(['completed', 'running', 'idle'])
    await manager.shutdown()
  })
})

describe.each(stores)('a store that fails on $name', (backend) => {
  it('never leaves half of a change, and loses no completed execution', async () => {
    const skills = [
      scriptedSkill('one', [[{ checkpoint: 1 }, { return: { n: 1 } }]]),
      scriptedSkill('two', [{ return: { n: 2 } }], { dependencies: ['one'] }),
    ]
    for (const fault of ['before', 'after'] as const) {
      for (let at = 1; at <= 8; at++) {
        const setup = await setUp(backend, skills)
        const faulty = injectFaults(setup.store as Store)
        const first = await setup.another(skills, { storage: faulty })
        await first.flush()
        const { agent_id } = await first.spawn()
        faulty.inject((transaction) => (transaction === at ? fault : undefined))
        const calls = () => skills.map((skill) => skill.calls.filter((call) => call.agentId === agent_id).length)
        const running = first.runChain(agent_id, 'two')
        const [outcome] = await setup.clock.until(Promise.allSettled([running]))
        const agent = await setup.manager.get(agent_id)
        for (const execution of await setup.manager.executions({ agent_id, status: 'success' })) {
          expect(agent.results[execution.skill_name]).toEqual(execution.result)
        }
        if (agent.state === 'running') {
          await setup.clock.until(setup.manager.resume(agent_id))
          await setup.clock.until(setup.manager.wait(agent_id))
        }
        const end = await setup.manager.get(agent_id)
        expect(end.state).toMatch(/^(idle|completed|failed)$/)
        if (end.state === 'completed') expect(end.results).toEqual({ one: { n: 1 }, two: { n: 2 } })
        if (outcome?.status === 'fulfilled') expect(end.state).toBe('completed')
        expect(Math.max(...calls())).toBeLessThanOrEqual(2)
      }
    }
  }, 60_000)
})
