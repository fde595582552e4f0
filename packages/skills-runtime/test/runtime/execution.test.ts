import { describe, expect, it } from 'vitest'
import { defineSkill, NonRetryableError, type SkillContext, validateExecution } from '../../src/index.js'
import { type Script, scriptedSkill, settle } from '../../src/testing/index.js'
import { navigate } from '../examples.js'
import { backends } from '../support/backends.js'
import { coded, deferred, setUp } from '../support/runtime.js'

describe.each(backends)('executions on $name', (backend) => {
  /** Runs one skill and gives the outcome, the subagent and the executions. */
  async function run(scripts: readonly Script[], record: Parameters<typeof scriptedSkill>[2] = {}, params?: object) {
    const skill = scriptedSkill('skill', scripts, record)
    const setup = await setUp(backend, [skill])
    const { agent_id } = await setup.manager.spawn()
    const running = setup.manager.run(agent_id, 'skill', params)
    const [outcome] = await setup.clock.until(Promise.allSettled([running]))
    const executions = await setup.manager.executions({ agent_id })
    for (const execution of executions) {
      expect(validateExecution(execution, { max_retries: record.max_retries ?? 0 })).toEqual({
        valid: true,
        errors: [],
      })
    }
    return { ...setup, skill, outcome, executions, agent: await setup.manager.get(agent_id) }
  }

  it('complete the parameters, record them, and never change the record', async () => {
    const { manager } = await setUp(backend, [
      {
        ...navigate,
        returns_schema: { type: 'object' },
        execute(params: Record<string, unknown>) {
          expect(params).toEqual({ location: 'kitchen', speed: 1 })
          params.location = 'changed'
          return { status: 'ok' }
        },
      },
    ])
    const { agent_id } = await manager.spawn()
    const given = { location: 'kitchen' }
    await manager.run(agent_id, 'navigate', given)
    expect(given).toEqual({ location: 'kitchen' })
    const [execution] = await manager.executions({ agent_id })
    expect(execution).toMatchObject({ parameters: { location: 'kitchen', speed: 1 }, skill_version: '1.0.0' })
    expect(await manager.get(agent_id)).toMatchObject({ skill_params: { location: 'kitchen', speed: 1 } })
  })

  it('run the version that is asked for', async () => {
    const versions = ['1.0.0', '2.0.0'].map((version) => scriptedSkill('skill', [{ return: { version } }], { version }))
    const { manager } = await setUp(backend, versions)
    const result = async (...args: [string, object?, object?]) => manager.run((await manager.spawn()).agent_id, ...args)
    expect(await result('skill')).toEqual({ version: '2.0.0' })
    expect(await result('skill', {}, { version: '1.0.0' })).toEqual({ version: '1.0.0' })
    expect(await manager.run((await manager.spawn()).agent_id, versions[0] as never, {})).toEqual({ version: '1.0.0' })
    const { agent_id } = await manager.spawn()
    await expect(manager.run(agent_id, 'skill', {}, { version: '3.0.0' })).rejects.toMatchObject(coded('NOT_FOUND'))
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'done'],
    ['a list', [1]],
    ['a function', () => 1],
    ['something that JSON cannot hold', { at: new Date(0) }],
    [
      'a circle',
      Object.assign(
        {},
        { self: {} },
        {
          get self() {
            return this
          },
        },
      ),
    ],
    ['too large a value', { text: 'x'.repeat(17 * 1024 * 1024) }],
  ])('fail when the result is %s', async (_, value) => {
    const { outcome, executions, agent } = await run([{ return: value }])
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'SKILL_FAILED' } })
    expect(executions).toMatchObject([{ status: 'failed', result: null, error: expect.stringContaining('result') }])
    expect(agent).toMatchObject({ state: 'failed', results: {} })
  })

  it('fail when the result does not fit the schema', async () => {
    const returns_schema = { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' } } }
    expect(await run([{ return: { ok: 'yes' } }], { returns_schema })).toMatchObject({
      outcome: { reason: { code: 'SKILL_FAILED', cause: { code: 'VALIDATION_FAILED' } } },
      executions: [{ status: 'failed' }],
    })
    expect(await run([{ return: { ok: true } }], { returns_schema })).toMatchObject({
      outcome: { value: { ok: true } },
      executions: [{ status: 'success', result: { ok: true } }],
    })
  })

  it('keep what is hostile in a result', async () => {
    const value = JSON.parse('{"__proto__":{"polluted":1},"constructor":2}')
    const { outcome, agent } = await run([{ return: value }])
    expect(outcome).toEqual({ status: 'fulfilled', value })
    expect(agent.results.skill).toEqual(value)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it.each([
    ['an error', new Error('broken'), 'broken'],
    ['an error without a message', new TypeError(), 'TypeError'],
    ['a text', 'broken', 'broken'],
    ['nothing', undefined, 'undefined was thrown'],
    ['an object without a prototype', Object.create(null), '{} was thrown'],
    ['a text that databases cannot hold', 'a\0b\uD800', 'a\uFFFDb\uFFFD'],
  ])('record %s that is thrown', async (_, thrown, error) => {
    const { executions, agent, outcome } = await run([{ throw: thrown }])
    expect(executions).toMatchObject([{ status: 'failed', error }])
    expect(agent).toMatchObject({ state: 'failed', error })
    expect(outcome).toMatchObject({ reason: { code: 'SKILL_FAILED', message: `The skill "skill" failed: ${error}` } })
  })

  it('keep a long error whole, and the subagent the beginning of it', async () => {
    const { executions, agent } = await run([{ throw: new Error('x'.repeat(5000)) }])
    expect(executions[0]?.error).toHaveLength(5000)
    expect(agent.error).toHaveLength(1000)
    expect(agent.error).toMatch(/\[cut\]$/)
  })

  it('are retried with growing waits, and measured over all attempts', async () => {
    const { skill, executions, outcome } = await run(
      [{ throw: new Error('one') }, { throw: new Error('two') }, { return: { ok: true } }],
      { max_retries: 3 },
    )
    expect(outcome).toMatchObject({ value: { ok: true } })
    expect(executions).toMatchObject([{ status: 'success', error: null, retry_count: 2, duration_ms: 300 }])
    expect(skill.calls.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    expect(new Set(skill.calls.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
    expect(new Set(skill.calls.map(({ executionId }) => executionId)).size).toBe(1)
  })

  it('are not retried more often than the skill allows', async () => {
    const { skill, executions } = await run([{ throw: new Error('always') }], { max_retries: 2 })
    expect(skill.calls).toHaveLength(3)
    expect(executions).toMatchObject([{ status: 'failed', retry_count: 2, error: 'always' }])
    expect((await run([{ throw: new Error('once') }])).skill.calls).toHaveLength(1)
  })

  it('get unchanged parameters in every attempt', async () => {
    const seen: unknown[] = []
    const skill = defineSkill({
      name: 'skill',
      version: '1.0.0',
      max_retries: 1,
      parameters_schema: { type: 'object' },
      execute(params) {
        seen.push(structuredClone(params))
        params.list = 'changed'
        throw new Error('again')
      },
    })
    const { manager, clock } = await setUp(backend, [skill])
    const { agent_id } = await manager.spawn()
    await expect(clock.until(manager.run(agent_id, 'skill', { list: [1] }))).rejects.toThrow()
    expect(seen).toEqual([{ list: [1] }, { list: [1] }])
  })

  it.each([new NonRetryableError('hopeless'), Object.assign(new Error('hopeless'), { retryable: false })])(
    'are not retried after %s',
    async (error) => {
      const { skill, executions } = await run([{ throw: error }, { return: {} }], { max_retries: 3 })
      expect(skill.calls).toHaveLength(1)
      expect(executions).toMatchObject([{ status: 'failed', error: 'hopeless', retry_count: 0 }])
    },
  )

  it('time out after so many seconds, and are not retried then', async () => {
    const { outcome, executions, agent, skill } = await run([{ hang: true }], { timeout: 2, max_retries: 3 })
    expect(outcome).toMatchObject({ reason: { code: 'SKILL_TIMEOUT', details: { timeout: 2 } } })
    expect(executions).toMatchObject([{ status: 'timeout', duration_ms: 2000, retry_count: 0 }])
    expect(executions[0]?.error).toMatch(/2 s/)
    expect(agent).toMatchObject({ state: 'failed', error: executions[0]?.error })
    expect(skill.calls).toHaveLength(1)
  })

  it('are retried after a timeout when that is asked for, each attempt with its own time', async () => {
    const { outcome, executions } = await run([{ hang: true }, { hang: true }, { return: { ok: 1 } }], {
      timeout: 2,
      max_retries: 2,
      retryTimeouts: true,
    })
    expect(outcome).toMatchObject({ value: { ok: 1 } })
    expect(executions).toMatchObject([{ status: 'success', retry_count: 2, duration_ms: 2000 + 100 + 2000 + 200 }])
  })

  it('discard a result that comes too late', async () => {
    const { promise, resolve } = deferred()
    const skill = scriptedSkill('skill', [[{ wait: () => promise }, { return: { late: true } }]], { timeout: 1 })
    const { manager, clock } = await setUp(backend, [skill])
    const late: unknown[] = []
    manager.events.on('execution.late', (event) => late.push(event))
    const { agent_id } = await manager.spawn()
    await expect(clock.until(manager.run(agent_id, 'skill'))).rejects.toMatchObject(coded('SKILL_TIMEOUT'))
    const before = await manager.executions()
    resolve()
    await settle()
    expect(await manager.executions()).toEqual(before)
    expect(await manager.get(agent_id)).toMatchObject({ state: 'failed', results: {} })
    expect(late).toMatchObject([{ agent_id, skill_name: 'skill' }])
  })

  it('can do nothing more through their context when they are over', async () => {
    let context: SkillContext | undefined
    const skill = defineSkill({
      name: 'leaky',
      version: '1.0.0',
      timeout: 1,
      parameters_schema: { type: 'object' },
      execute: (_, given) => {
        context = given
        return new Promise<object>(() => {})
      },
    })
    const { manager, clock } = await setUp(backend, [skill])
    const { agent_id } = await manager.spawn()
    await expect(clock.until(manager.run(agent_id, 'leaky'))).rejects.toMatchObject(coded('SKILL_TIMEOUT'))
    expect(context?.signal.aborted).toBe(true)
    expect(context?.signal.reason).toMatchObject(coded('SKILL_TIMEOUT'))
    await expect(context?.checkpoint(1)).rejects.toThrow()
    expect(() => context?.progress(0.5)).toThrow()
    await expect(context?.publish('topic', {})).rejects.toThrow()
  })

  it('let the clock of the timeout stand still while they are paused', async () => {
    const parts: { sleep?: (ms: number) => Promise<void> } = {}
    const nap = { wait: () => parts.sleep?.(800) }
    const skill = scriptedSkill('skill', [[nap, { checkpoint: 1 }, nap, { return: { ok: true } }]], { timeout: 2 })
    const { manager, clock } = await setUp(backend, [skill])
    parts.sleep = (ms) => clock.sleep(ms)
    const { agent_id } = await manager.spawn()
    const running = manager.run(agent_id, 'skill')
    await settle()
    await manager.pause(agent_id)
    await clock.advance(1000)
    expect(await manager.get(agent_id)).toMatchObject({ state: 'paused' })
    await clock.advance(60_000)
    expect(await manager.get(agent_id)).toMatchObject({ state: 'paused' })
    await manager.resume(agent_id)
    expect(await clock.until(running)).toEqual({ ok: true })
    expect(await manager.executions({ agent_id })).toMatchObject([{ status: 'success' }])
  })

  it('still time out after a pause', async () => {
    const asked = deferred()
    const script = [{ wait: () => asked.promise }, { checkpoint: 1 }, { hang: true }] as const
    const skill = scriptedSkill('skill', [script], { timeout: 2 })
    const { manager, clock } = await setUp(backend, [skill])
    const { agent_id } = await manager.spawn()
    manager.events.on('execution.started', () => void manager.pause(agent_id).then(asked.resolve))
    const running = manager.run(agent_id, 'skill')
    running.catch(() => undefined)
    await asked.promise
    await clock.advance(10_000)
    expect(await manager.get(agent_id)).toMatchObject({ state: 'paused' })
    await manager.resume(agent_id)
    await clock.advance(1900)
    expect(await manager.get(agent_id)).toMatchObject({ state: 'running' })
    await expect(clock.until(running)).rejects.toMatchObject(coded('SKILL_TIMEOUT'))
  })

  it('continue a retry from the last checkpoint', async () => {
    const { skill } = await run([[{ checkpoint: { page: 3 } }, { throw: new Error('x') }], { return: {} }], {
      max_retries: 1,
    })
    expect(skill.calls.map(({ state }) => state)).toEqual([undefined, { page: 3 }])
  })

  it('refuse checkpoints that cannot be stored and progress that is none', async () => {
    const checkpoint = { checkpoint: { at: 1n } as never }
    expect((await run([[checkpoint, { return: {} }]])).executions).toMatchObject([{ status: 'failed' }])
    expect((await run([[{ progress: 2 }, { return: {} }]])).executions).toMatchObject([{ status: 'failed' }])
    expect((await run([[{ checkpoint: null }, { progress: 1 }, { return: {} }]])).outcome).toMatchObject({ value: {} })
  })

  it('of a skill without code are refused, and the subagent stays idle', async () => {
    const { manager } = await setUp(backend, [
      { name: 'bare', version: '1.0.0', parameters_schema: { type: 'object' } },
    ])
    const { agent_id } = await manager.spawn()
    await expect(manager.run(agent_id, 'bare')).rejects.toMatchObject(coded('SKILL_NOT_BOUND'))
    expect(await manager.get(agent_id)).toMatchObject({ state: 'idle' })
    manager.registry.registerSkill(scriptedSkill('bare'))
    expect(await manager.run(agent_id, 'bare')).toEqual({})
  })

  it('import the module of a skill that names one', async () => {
    const source = 'export const greet = ({ name }) => ({ text: "hello " + name })'
    const skill = defineSkill({
      name: 'greet',
      version: '1.0.0',
      parameters_schema: { type: 'object' },
      module: `data:text/javascript,${encodeURIComponent(source)}`,
      export: 'greet',
    })
    const { manager } = await setUp(backend, [skill])
    const { agent_id } = await manager.spawn()
    expect(await manager.run(agent_id, 'greet', { name: 'you' })).toEqual({ text: 'hello you' })
  })
})

describe.each(backends)('chains on $name', (backend) => {
  const chain = (middle: Script) => [
    scriptedSkill('one', [{ return: { n: 1 } }]),
    scriptedSkill('two', [middle], { dependencies: ['one'] }),
    scriptedSkill('three', [{ return: { n: 3 } }], {
      dependencies: ['two', 'one'],
      parameters_schema: { type: 'object', properties: { n: { type: 'number' } } },
    }),
  ]

  it('run dependencies first, each once, with parameters from earlier results', async () => {
    const skills = chain({ return: { n: 2 } })
    const { manager } = await setUp(backend, skills)
    const { agent_id } = await manager.spawn()
    const results = await manager.runChain(agent_id, 'three', {
      one: () => ({ first: true }),
      three: ({ one, two }) => ({ n: Number(one?.n) + Number(two?.n) }),
    })
    expect(results).toEqual({ one: { n: 1 }, two: { n: 2 }, three: { n: 3 } })
    expect(skills.map(({ calls }) => calls.map(({ params }) => params))).toEqual([[{ first: true }], [{}], [{ n: 3 }]])
    const names = (await manager.executions({ agent_id })).map(({ skill_name }) => skill_name)
    expect(names).toEqual(['one', 'two', 'three'])
  })

  it('end with the first that fails, and keep the results before it', async () => {
    const skills = chain({ throw: new Error('stuck') })
    const { manager } = await setUp(backend, skills)
    const { agent_id } = await manager.spawn()
    await expect(manager.runChain(agent_id, 'three')).rejects.toMatchObject(coded('SKILL_FAILED'))
    expect(await manager.get(agent_id)).toMatchObject({ state: 'failed', error: 'stuck', results: { one: { n: 1 } } })
    expect(skills[2]?.calls).toEqual([])
  })

  it.each([
    [
      'a function that throws',
      () => {
        throw new Error('oops')
      },
      /oops/,
    ],
    ['parameters that do not fit', () => ({ n: 'x' }), /n/],
    ['parameters that are no object', () => 7 as never, /object/],
  ])('fail in the middle with %s', async (_, three, message) => {
    const { manager } = await setUp(backend, chain({ return: {} }))
    const { agent_id } = await manager.spawn()
    await expect(manager.runChain(agent_id, 'three', { three })).rejects.toMatchObject(coded('SKILL_FAILED'))
    expect(await manager.get(agent_id)).toMatchObject({ state: 'failed', error: expect.stringMatching(message) })
    expect(await manager.executions({ agent_id })).toHaveLength(2)
  })

  it.each([
    ['parameters of a later skill that do not fit', { three: { n: 'x' } }],
    ['parameters of a skill that is not in it', { four: {} }],
    [
      'a function for the first that throws',
      {
        one: () => {
          throw new Error('oops')
        },
      },
    ],
    ['parameters that are not by name', [] as never],
  ])('do not begin with %s', async (_, params) => {
    const skills = chain({ return: {} })
    const { manager } = await setUp(backend, skills)
    const { agent_id } = await manager.spawn()
    await expect(manager.runChain(agent_id, 'three', params as never)).rejects.toMatchObject(coded('VALIDATION_FAILED'))
    expect(await manager.get(agent_id)).toMatchObject({ state: 'failed' })
    expect(skills[0]?.calls).toEqual([])
  })
})
