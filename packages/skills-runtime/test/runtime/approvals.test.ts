import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { approvals, type PolicyRule } from '@minions/approvals'
import { runOperation } from '@minions/core/operations'
import { createMinions } from '@minions/host'
import { afterAll, describe, expect, test } from 'vitest'
import { composeSkill, defineSkill, type SkillsOptions, skills } from '../../src/index.ts'
import { VirtualClock } from '../../src/testing/index.ts'

const rules: readonly PolicyRule[] = [
  { name: 'no-drop', action: 'deny', kind: 'skill', call: 'drop' },
  { name: 'pay', action: 'ask', kind: 'skill', call: 'pay', reason: 'it costs money' },
]
const folder = mkdtempSync(join(tmpdir(), 'minions-skills-approvals-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const amount = { type: 'object', properties: { amount: { type: 'integer', maximum: 100 } }, required: ['amount'] }

async function open(paid: unknown[], storage = 'memory:', options: SkillsOptions = {}) {
  const app = await createMinions({ storage, plugins: [approvals({ rules }), skills({ leaseMs: 500, ...options })] })
  const pay = defineSkill({
    name: 'pay',
    version: '1.0.0',
    description: 'Pays.',
    parameters_schema: amount,
    timeout: 1,
    execute: async (params) => {
      paid.push(params)
      return { paid: true }
    },
  })
  const none = { type: 'object' }
  const drop = defineSkill({
    name: 'drop',
    version: '1.0.0',
    description: 'Drops.',
    parameters_schema: none,
    execute: async () => ({}),
  })
  const both = composeSkill({
    name: 'both',
    version: '1.0.0',
    parameters_schema: none,
    description: 'Pays twice.',
    steps: [
      { id: 'one', skill: 'pay', input: { amount: 1 } },
      { id: 'two', skill: 'pay', input: { amount: 2 } },
    ],
  })
  const atOnce = composeSkill({
    name: 'at-once',
    version: '1.0.0',
    parameters_schema: none,
    description: 'Pays twice at once.',
    timeout: 1,
    steps: [{ parallel: [1, 2].map((each) => ({ id: `pay-${each}`, skill: 'pay', input: { amount: each } })) }],
  })
  app.skills.registry.registerAll([pay, drop, both, atOnce])
  const pending = async () => {
    await expect.poll(async () => (await app.approvals.list({ status: 'pending' })).items.length).toBe(1)
    return (await app.approvals.list({ status: 'pending' })).items[0]?.approval_id ?? ''
  }
  return { app, pending }
}

describe('a skill that the policy asks about', () => {
  test('waits for a decision and runs as it was approved', async () => {
    const paid: unknown[] = []
    const { app, pending } = await open(paid)
    const { agent_id } = await app.skills.spawn({ metadata: { by: 'eve' } })
    const running = app.skills.run(agent_id, 'pay', { amount: 5 })
    const id = await pending()
    expect(await app.approvals.get(id)).toMatchObject({
      asked_by: 'eve',
      call: { kind: 'skill', name: 'pay', version: '1.0.0', agent_id, arguments: { amount: 5 } },
    })
    expect(await app.skills.get(agent_id)).toMatchObject({ state: 'running' })
    await app.approvals.edit(id, { by: 'ada', arguments: { amount: 3 } })
    expect(await running).toEqual({ paid: true })
    expect(paid).toEqual([{ amount: 3 }])
    const [execution] = await app.skills.executions({ agent_id })
    expect(execution).toMatchObject({ parameters: { amount: 3 }, status: 'success' })
    await app.close()
  })

  test('fails when it is rejected, denied, or changed into something that does not fit', async () => {
    const paid: unknown[] = []
    const { app, pending } = await open(paid)
    const run = async (name: string, params: object) => {
      const { agent_id } = await app.skills.spawn()
      return app.skills.run(agent_id, name, params).catch((error: Error) => error.message)
    }
    expect(await run('drop', {})).toContain('denied by rule "no-drop"')
    const rejected = run('pay', { amount: 5 })
    await app.approvals.reject(await pending(), { by: 'ada', reason: 'no' })
    expect(await rejected).toContain('rejected by "ada": no')
    const unfit = run('pay', { amount: 6 })
    await app.approvals.edit(await pending(), { by: 'ada', arguments: { amount: 1000 } })
    expect(await unfit).toContain('amount')
    expect(paid).toEqual([])
    await app.close()
  })

  test('asks for each step of a composed one', async () => {
    const paid: unknown[] = []
    const { app, pending } = await open(paid)
    const running = app.skills.execute('both', {})
    await app.approvals.approve(await pending(), { by: 'ada' })
    await expect.poll(() => paid.length).toBe(1)
    await app.approvals.approve(await pending(), { by: 'ada' })
    await running
    expect(paid).toEqual([{ amount: 1 }, { amount: 2 }])
    await app.close()
  })

  test('waits on in another process, and is done once', async () => {
    const paid: unknown[] = []
    const storage = `sqlite:${join(folder, 'agents.db')}`
    const first = await open(paid, storage)
    const { agent_id } = await first.app.skills.spawn()
    const running = first.app.skills.run(agent_id, 'pay', { amount: 5 }).catch((error) => error.code)
    const id = await first.pending()
    await first.app.close()
    expect(await running).toBe('INTERRUPTED')
    const second = await open(paid, storage)
    await second.app.skills.resume(agent_id)
    expect(await second.pending()).toBe(id)
    await second.app.approvals.approve(id, { by: 'ada' })
    expect(await second.app.skills.wait(agent_id)).toMatchObject({ state: 'completed' })
    expect(paid).toEqual([{ amount: 5 }])
    await second.app.close()
  })

  test('is asked for as a step also where the whole was cleared', async () => {
    const paid: unknown[] = []
    const { app, pending } = await open(paid)
    const { agent_id } = await app.skills.spawn()
    const running = app.skills.run(agent_id, 'both', {}, { cleared: true }).catch((error: Error) => error.message)
    await app.approvals.reject(await pending(), { by: 'ada' })
    expect(await running).toContain('rejected')
    expect(paid).toEqual([])
    await app.close()
  })

  test('takes no capacity while it waits', async () => {
    const paid: unknown[] = []
    const { app, pending } = await open(paid, 'memory:', { limits: { agents: 1 } })
    const quick = defineSkill({
      name: 'quick',
      version: '1.0.0',
      parameters_schema: { type: 'object' },
      execute: async () => ({ done: true }),
    })
    app.skills.registry.registerSkill(quick)
    const waiting = app.skills.execute('pay', { amount: 5 })
    const id = await pending()
    expect(await app.skills.execute('quick', {})).toEqual({ done: true })
    await app.approvals.approve(id, { by: 'ada' })
    expect(await waiting).toEqual({ paid: true })
    expect(await app.skills.execute('quick', {})).toEqual({ done: true })
    await app.close()
  })

  test('has no time run out while one of several steps still waits', async () => {
    const paid: unknown[] = []
    const time = new VirtualClock()
    const { app } = await open(paid, 'memory:', { timers: time.timers })
    const running = app.skills.execute('at-once', {})
    const pending = async () => (await app.approvals.list({ status: 'pending' })).items
    await expect.poll(async () => (await pending()).length).toBe(2)
    const [first, second] = await pending()
    await app.approvals.approve(first?.approval_id ?? '', { by: 'ada' })
    await expect.poll(() => paid.length).toBe(1)
    await time.advance(10_000)
    await app.approvals.approve(second?.approval_id ?? '', { by: 'ada' })
    expect(await running).toBeDefined()
    expect(paid).toHaveLength(2)
    await app.close()
  })

  test('is asked for in the name and the tenant of the caller, who cannot choose others', async () => {
    const paid: unknown[] = []
    const { app, pending } = await open(paid)
    const caller = { by: 'eve', tenant: 'acme' }
    const running = runOperation(app, 'skills.run', { skill: 'pay', params: { amount: 5 } }, caller)
    const id = await pending()
    expect(await app.approvals.get(id, { tenant: 'acme' })).toMatchObject({ asked_by: 'eve', tenant_id: 'acme' })
    await expect(app.approvals.approve(id, { by: 'Eve' })).rejects.toMatchObject({ code: 'SELF_APPROVAL' })
    await app.approvals.approve(id, { by: 'ada', tenant: 'acme' })
    expect(await running).toMatchObject({ result: { paid: true } })
    for (const name of ['by', 'tenant_id', 'role_type', 'sensitivity_class', 'parent_agent_id', 'agent_depth']) {
      const spawning = runOperation(app, 'agents.spawn', { metadata: { [name]: 'x' } }, caller)
      await expect(spawning).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    }
    expect(await runOperation(app, 'agents.spawn', {}, caller)).toMatchObject({
      metadata: { by: 'eve', tenant_id: 'acme' },
    })
    await app.close()
  })
})
