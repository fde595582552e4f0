import { describe, expect, it } from 'vitest'
import { defineSkill, MessageBus, SubagentManager, skillRecord, validateSkill } from '../src/index.js'

const skill = (options: { timeout?: number; timeoutMs?: number }, execute = () => ({})) =>
  defineSkill({ name: 'work', version: '1.0.0', parameters_schema: { type: 'object' }, execute, ...options })

describe('timeoutMs', () => {
  it('stands for the timeout of a skill, whose record has it in whole seconds', () => {
    expect(skill({ timeoutMs: 1500 })).toMatchObject({ timeoutMs: 1500, timeout: 2 })
    expect(skillRecord(skill({ timeoutMs: 1500 }))).not.toHaveProperty('timeoutMs')
    expect(skill({ timeout: 3 })).toMatchObject({ timeout: 3 })
  })

  it.each([0, -1, Number.NaN, 3_600_001, '5'])('of %j is refused, and so are both', (timeoutMs) => {
    const record = { name: 'work', version: '1.0.0', parameters_schema: {}, timeoutMs }
    expect(validateSkill(record).errors).toMatchObject([{ pointer: '/timeoutMs' }])
    expect(validateSkill({ ...record, timeoutMs: 5, timeout: 2 }).errors).toMatchObject([{ code: 'EXCLUSIVE' }])
  })

  it('ends an attempt to the millisecond', async () => {
    const manager = await SubagentManager.open()
    manager.registry.registerSkill(skill({ timeoutMs: 5 }, () => new Promise<never>(() => {})))
    await expect(manager.execute('work')).rejects.toMatchObject({ code: 'SKILL_TIMEOUT', details: { timeout: 0.005 } })
    await manager.shutdown()
  })

  it('is another name of the timeout of a request and of a wait', async () => {
    const bus = new MessageBus()
    await expect(bus.request('nobody', {}, { timeoutMs: 1 })).rejects.toMatchObject({ code: expect.any(String) })
    await expect(bus.receive('agent', { timeoutMs: 1 })).rejects.toMatchObject({ code: 'RECEIVE_TIMEOUT' })
    await bus.close()
  })
})

describe('a subagent that has run', () => {
  it('says what to do for the next skill', async () => {
    const manager = await SubagentManager.open()
    manager.registry.registerSkill(skill({}))
    const { agent_id } = await manager.spawn()
    await manager.run(agent_id, 'work')
    await expect(manager.run(agent_id, 'work')).rejects.toThrow(
      /is completed and cannot become running: .*spawn another for the next, or call execute\(skill, params\)/,
    )
    await manager.shutdown()
  })
})

describe('await using', () => {
  it('shuts a manager down', async () => {
    const manager = await SubagentManager.open()
    await manager[Symbol.asyncDispose]()
    await expect(manager.spawn()).rejects.toMatchObject({ code: 'CLOSED' })
  })
})
