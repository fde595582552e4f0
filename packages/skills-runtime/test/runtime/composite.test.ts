import { describe, expect, it } from 'vitest'
import { composeSkill, defineSkill, type SkillStep } from '../../src/index.js'
import { type Script, scriptedSkill, settle } from '../../src/testing/index.js'
import { backends } from '../support/backends.js'
import { coded, deferred, setUp } from '../support/runtime.js'

const ref = (path: string) => `\${${path}}`

describe.each(backends)('composed skills on $name', (backend) => {
  it('run their steps with mapped input and give the results by step', async () => {
    const navigate = scriptedSkill('navigate', [{ return: { at: 'kitchen' } }])
    const detect = scriptedSkill('detect', [{ return: { pose: { x: 1 }, name: 'cup' } }])
    const grasp = scriptedSkill('grasp', [{ return: { grasped: true } }])
    const say = scriptedSkill('say', [{ return: { said: true } }])
    const fetch = composeSkill({
      name: 'fetch-object',
      steps: [
        { skill: 'navigate', input: { location: ref('params.area') } },
        { skill: 'detect', input: { near: ref('navigate.result.at') } },
        {
          parallel: [
            { skill: 'grasp', input: { pose: ref('detect.result.pose') } },
            { id: 'announce', skill: 'say', input: ({ results }) => ({ text: `found ${results.detect?.name}` }) },
          ],
        },
      ],
    })
    const { manager } = await setUp(backend, [navigate, detect, grasp, say, fetch])
    const { agent_id } = await manager.spawn()
    const result = {
      navigate: { at: 'kitchen' },
      detect: { pose: { x: 1 }, name: 'cup' },
      grasp: { grasped: true },
      announce: { said: true },
    }
    expect(await manager.run(agent_id, 'fetch-object', { area: 'kitchen' })).toEqual(result)
    expect(await manager.get(agent_id)).toMatchObject({
      state: 'completed',
      assigned_skill: 'fetch-object',
      results: { 'fetch-object': result },
    })
    expect(navigate.calls[0]?.params).toEqual({ location: 'kitchen' })
    expect(grasp.calls[0]?.params).toEqual({ pose: { x: 1 } })
    expect(say.calls[0]?.params).toEqual({ text: 'found cup' })
    const executions = await manager.executions({ agent_id })
    expect(executions.map(({ skill_name, status }) => `${skill_name} ${status}`)).toEqual([
      'fetch-object success',
      'navigate success',
      'detect success',
      'grasp success',
      'say success',
    ])
    const keys = [navigate, detect, grasp, say].map(({ calls }) => calls[0]?.idempotencyKey)
    const root = executions[0]?.execution_id
    expect(keys).toEqual(['navigate', 'detect', 'grasp', 'announce'].map((step) => `${root}/${step}`))
  })

  it('are skills like any other: in chains, in one another, with a schema for what they return', async () => {
    const inner = composeSkill({ name: 'inner', steps: [{ skill: 'leaf' }] })
    const outer = composeSkill({
      name: 'outer',
      returns_schema: { type: 'object', required: ['inner'] },
      steps: [{ skill: 'inner' }],
    })
    const leaf = scriptedSkill('leaf', [{ return: { n: 1 } }])
    const before = scriptedSkill('before', [{ return: { n: 0 } }])
    const after = scriptedSkill('after', [{ return: { n: 2 } }], { dependencies: ['outer', 'before'] })
    const { manager } = await setUp(backend, [leaf, before, inner, outer, after])
    const { agent_id } = await manager.spawn()
    expect(await manager.runChain(agent_id, 'after')).toEqual({
      before: { n: 0 },
      outer: { inner: { leaf: { n: 1 } } },
      after: { n: 2 },
    })
    expect(leaf.calls).toHaveLength(1)
    const wrong = composeSkill({
      name: 'wrong',
      returns_schema: { type: 'object', required: ['other'] },
      steps: [{ skill: 'leaf' }],
    })
    manager.registry.registerSkill(wrong)
    const second = await manager.spawn()
    await expect(manager.run(second.agent_id, 'wrong')).rejects.toMatchObject(coded('SKILL_FAILED'))
  })

  /** One step under a policy, followed by another. */
  async function policy(scripts: readonly Script[], onError: SkillStep['onError'], record = {}) {
    const risky = scriptedSkill('risky', scripts, record)
    const backup = scriptedSkill('backup', [{ return: { from: 'backup' } }])
    const next = scriptedSkill('next')
    const composed = composeSkill({
      name: 'composed',
      timeout: 600,
      steps: [{ skill: 'risky', input: { a: 1 }, ...(onError && { onError }) }, { skill: 'next' }],
    })
    const setup = await setUp(backend, [risky, backup, next, composed])
    const { agent_id } = await setup.manager.spawn()
    const [outcome] = await setup.clock.until(Promise.allSettled([setup.manager.run(agent_id, 'composed')]))
    const executions = (await setup.manager.executions({ agent_id })).map((each) => `${each.skill_name} ${each.status}`)
    return { risky, backup, next, outcome, executions, agent: await setup.manager.get(agent_id) }
  }

  it('abort when a step fails', async () => {
    for (const onError of ['abort', undefined] as const) {
      const { outcome, next, agent, executions } = await policy([{ throw: new Error('no') }], onError)
      expect(outcome).toMatchObject({ reason: { code: 'SKILL_FAILED', message: expect.stringMatching(/risky.*no/) } })
      expect(next.calls).toEqual([])
      expect(agent).toMatchObject({ state: 'failed', results: {} })
      expect(executions).toEqual(['composed failed', 'risky failed'])
    }
  })

  it('retry a step, as another execution with the same key', async () => {
    const { outcome, risky, executions } = await policy([{ throw: new Error('no') }, { return: { ok: 1 } }], 'retry')
    expect(outcome).toMatchObject({ value: { risky: { ok: 1 }, next: {} } })
    expect(executions).toEqual(['composed success', 'risky failed', 'risky success', 'next success'])
    expect(risky.calls[0]?.idempotencyKey).toBe(risky.calls[1]?.idempotencyKey)
    expect(risky.calls[0]?.executionId).not.toBe(risky.calls[1]?.executionId)
    expect((await policy([{ throw: new Error('no') }], 'retry')).risky.calls).toHaveLength(2)
    expect((await policy([{ throw: new Error('no') }], { retry: 3 })).risky.calls).toHaveLength(4)
    const hopeless = Object.assign(new Error('no'), { retryable: false })
    expect((await policy([{ throw: hopeless }], { retry: 3 })).risky.calls).toHaveLength(1)
    expect((await policy([{ hang: true }, { return: {} }], 'retry', { timeout: 1 })).outcome).toMatchObject({
      value: { risky: {} },
    })
  })

  it('fall back to another skill or a fixed result', async () => {
    const skill = await policy([{ throw: new Error('no') }], { fallback: 'backup' })
    expect(skill.outcome).toMatchObject({ value: { risky: { from: 'backup' }, next: {} } })
    expect(skill.backup.calls[0]?.params).toEqual({ a: 1 })
    const own = await policy([{ throw: new Error('no') }], { fallback: 'backup', input: { b: ref('params.none') } })
    expect(own.outcome).toMatchObject({ status: 'rejected', reason: { code: 'SKILL_FAILED' } })
    const given = await policy([{ throw: new Error('no') }], { fallback: 'backup', input: { b: 2 } })
    expect(given.backup.calls[0]?.params).toEqual({ b: 2 })
    const fixed = await policy([{ hang: true }], { fallback: { found: false } }, { timeout: 1 })
    expect(fixed.outcome).toMatchObject({ value: { risky: { found: false }, next: {} } })
    expect(fixed.executions).toEqual(['composed success', 'risky timeout', 'next success'])
    const unused = await policy([{ return: { ok: 1 } }], { fallback: 'backup' })
    expect(unused.backup.calls).toEqual([])
  })

  it('apply the policy when the input of a step cannot be made or does not fit', async () => {
    const picky = scriptedSkill('picky', undefined, { parameters_schema: { type: 'object', required: ['a'] } })
    const composed = (name: string, onError?: SkillStep['onError']) =>
      composeSkill({ name, steps: [{ skill: 'picky', ...(onError && { onError }) }] })
    const { manager } = await setUp(backend, [picky, composed('strict'), composed('lax', { fallback: { ok: false } })])
    const run = async (name: string) => manager.run((await manager.spawn()).agent_id, name)
    await expect(run('strict')).rejects.toMatchObject(coded('SKILL_FAILED'))
    expect(await run('lax')).toEqual({ picky: { ok: false } })
    expect(picky.calls).toEqual([])
  })

  it('stop the other steps of a stage when one of them fails', async () => {
    const slow = scriptedSkill('slow', [{ hang: true }], { timeout: 3600 })
    const bad = scriptedSkill('bad', [{ throw: new Error('no') }])
    const composed = composeSkill({ name: 'composed', steps: [{ parallel: [{ skill: 'slow' }, { skill: 'bad' }] }] })
    const { manager } = await setUp(backend, [slow, bad, composed])
    const { agent_id } = await manager.spawn()
    await expect(manager.run(agent_id, 'composed')).rejects.toThrow(/bad/)
    const executions = await manager.executions({ agent_id })
    expect(Object.fromEntries(executions.map(({ skill_name, error }) => [skill_name, error]))).toEqual({
      composed: 'The step "bad" failed: no',
      slow: 'cancelled',
      bad: 'no',
    })
  })

  it('end with all their steps when they time out or are cancelled', async () => {
    const slow = scriptedSkill('slow', [{ ignoreSignal: true }], { timeout: 3600 })
    const composed = composeSkill({ name: 'composed', timeout: 5, steps: [{ skill: 'slow' }] })
    const { manager, clock } = await setUp(backend, [slow, composed])
    const first = await manager.spawn()
    await expect(clock.until(manager.run(first.agent_id, 'composed'))).rejects.toMatchObject(coded('SKILL_TIMEOUT'))
    expect(await manager.executions({ agent_id: first.agent_id })).toMatchObject([
      { skill_name: 'composed', status: 'timeout', duration_ms: 5000 },
      { skill_name: 'slow', status: 'failed', error: 'cancelled' },
    ])
    const second = await manager.spawn()
    const running = manager.run(second.agent_id, 'composed')
    running.catch(() => undefined)
    await settle()
    await manager.cancel(second.agent_id)
    await expect(running).rejects.toMatchObject(coded('CANCELLED'))
    for (const execution of await manager.executions({ agent_id: second.agent_id })) {
      expect(execution).toMatchObject({ status: 'failed', error: 'cancelled' })
    }
  })

  it('do not repeat done steps when they are retried', async () => {
    const first = scriptedSkill('first', [{ return: { n: 1 } }])
    const second = scriptedSkill('second', [{ throw: new Error('no') }, { return: { n: 2 } }])
    const composed = composeSkill({
      name: 'composed',
      max_retries: 1,
      steps: [{ skill: 'first' }, { skill: 'second' }],
    })
    const { manager, clock } = await setUp(backend, [first, second, composed])
    const { agent_id } = await manager.spawn()
    expect(await clock.until(manager.run(agent_id, 'composed'))).toEqual({ first: { n: 1 }, second: { n: 2 } })
    expect(first.calls).toHaveLength(1)
    expect(second.calls).toHaveLength(2)
  })

  it('pause at a checkpoint of a step or between steps, with every clock standing still', async () => {
    const gate = deferred()
    const first = scriptedSkill('first', [[{ wait: () => gate.promise }, { return: {} }]])
    const second = scriptedSkill('second')
    const composed = composeSkill({ name: 'composed', timeout: 10, steps: [{ skill: 'first' }, { skill: 'second' }] })
    const { manager, clock } = await setUp(backend, [first, second, composed])
    const { agent_id } = await manager.spawn()
    const running = manager.run(agent_id, 'composed')
    await settle()
    await manager.pause(agent_id)
    gate.resolve()
    await clock.advance(60_000)
    expect(await manager.get(agent_id)).toMatchObject({ state: 'paused' })
    expect(second.calls).toEqual([])
    await manager.resume(agent_id)
    expect(await clock.until(running)).toEqual({ first: {}, second: {} })
  })

  it('keep within the limits of each skill', async () => {
    let now = 0
    let most = 0
    const busy = defineSkill({
      name: 'busy',
      version: '1.0.0',
      parameters_schema: { type: 'object' },
      async execute() {
        most = Math.max(most, ++now)
        await settle()
        now--
        return {}
      },
    })
    const steps = Array.from({ length: 6 }, (_, index) => ({ id: `s${index}`, skill: 'busy' }))
    const composed = composeSkill({ name: 'composed', steps: [{ parallel: steps }] })
    const { manager } = await setUp(backend, [busy, composed], { limits: { skills: { busy: 2 } } })
    const { agent_id } = await manager.spawn()
    expect(Object.keys(await manager.run(agent_id, 'composed'))).toHaveLength(6)
    expect(most).toBe(2)
  })
})
