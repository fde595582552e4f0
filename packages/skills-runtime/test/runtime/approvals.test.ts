import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { approvals, type PolicyRule } from '@minions/approvals'
import { createMinions } from '@minions/host'
import { afterAll, describe, expect, test } from 'vitest'
import { composeSkill, defineSkill, skills } from '../../src/index.ts'

const rules: readonly PolicyRule[] = [
  { name: 'no-drop', action: 'deny', kind: 'skill', call: 'drop' },
  { name: 'pay', action: 'ask', kind: 'skill', call: 'pay', reason: 'it costs money' },
]
const folder = mkdtempSync(join(tmpdir(), 'minions-skills-approvals-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const amount = { type: 'object', properties: { amount: { type: 'integer', maximum: 100 } }, required: ['amount'] }

async function open(paid: unknown[], storage = 'memory:') {
  const app = await createMinions({ storage, plugins: [approvals({ rules }), skills({ leaseMs: 500 })] })
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
  app.skills.registry.registerAll([pay, drop, both])
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
})
