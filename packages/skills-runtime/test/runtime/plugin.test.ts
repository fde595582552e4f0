import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStorage } from '@minions/core/memory'
import { createMinions, loadPlugins } from '@minions/host'
import { afterAll, describe, expect, it } from 'vitest'
import { defineSkill, type SubagentManager, skills } from '../../src/index.js'
import { subagentsCollection } from '../../src/runtime/state/collections.js'
import { VirtualClock } from '../../src/testing/index.js'
import { navigate } from '../examples.js'

const folder = mkdtempSync(join(tmpdir(), 'minions-load-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the plugin', () => {
  it('gives an app its manager, on the store and the clock of the app', async () => {
    const clock = new VirtualClock('2026-02-03T04:05:06.000Z')
    const app = await createMinions({
      storage: memoryStorage(),
      clock: clock.clock,
      plugins: [skills({ timers: clock.timers, limits: { agents: 5 } })],
    })
    app.skills.registry.registerSkill(
      defineSkill({
        name: 'echo',
        version: '1.0.0',
        parameters_schema: { type: 'object' },
        execute: (params) => params,
      }),
    )
    const agent = await app.skills.spawn({ name: 'one' })
    expect(agent.created_at).toBe('2026-02-03T04:05:06.000Z')
    expect(await app.skills.run(agent.agent_id, 'echo', { a: 1 })).toEqual({ a: 1 })
    expect(await app.storage.get(subagentsCollection, agent.agent_id)).toMatchObject({ state: 'completed' })
    await app.close()
    await expect(app.skills.spawn()).rejects.toMatchObject({ code: 'CLOSED' })
  })

  it('is found by a configuration that names the package', async () => {
    const plugins = await loadPlugins([['@minions/skills-runtime', { limits: { agents: 2 } }]], import.meta.dirname)
    expect(plugins).toMatchObject([{ ref: { name: '@minions/skills-runtime', namespace: 'skills' } }])
    const app = await createMinions({ storage: memoryStorage(), plugins })
    expect(await (app as unknown as { skills: SubagentManager }).skills.stats()).toMatchObject({ running: 0 })
    await app.close()
  })

  it('takes part in transactions', async () => {
    const app = await createMinions({ storage: memoryStorage(), plugins: [skills()] })
    const seen: string[] = []
    app.skills.events.on('agent.spawned', ({ agent_id }) => seen.push(agent_id))
    const undone = app.transaction(async (tx) => {
      await tx.skills.spawn()
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    expect(await app.skills.list()).toEqual([])
    expect(seen).toEqual([])
    const { agent_id } = await app.transaction(async (tx) => {
      const agent = await tx.skills.spawn({ name: 'kept' })
      expect(await tx.skills.get(agent.agent_id)).toEqual(agent)
      expect(seen).toEqual([])
      return agent
    })
    expect(seen).toEqual([agent_id])
    expect(await app.skills.get(agent_id)).toMatchObject({ name: 'kept' })
    await app.transaction(async (tx) => {
      for (const call of ['run', 'runChain', 'resume', 'cancel', 'wait', 'shutdown'])
        expect(tx.skills).not.toHaveProperty(call)
    })
    await app.close()
  })

  it('keeps everything in memory when it is told to', async () => {
    const app = await createMinions({ storage: memoryStorage(), plugins: [skills({ persistence: false })] })
    await app.skills.spawn()
    expect(await app.skills.list()).toHaveLength(1)
    expect(await app.storage.count(subagentsCollection)).toBe(0)
    await app.close()
  })

  it('refuses options that make no sense, before anything is opened', async () => {
    for (const options of [{ limits: { agents: 0 } }, { leaseMs: 'soon' }, { backoff: { factor: 0.5 } }]) {
      const app = createMinions({ storage: memoryStorage(), plugins: [skills(options as never)] })
      await expect(app).rejects.toMatchObject({ code: expect.any(String), message: expect.stringMatching(/skills/) })
    }
  })

  it('loads folders and says what was not loaded', async () => {
    mkdirSync(join(folder, 'skills'), { recursive: true })
    writeFileSync(join(folder, 'skills/navigate.json'), JSON.stringify(navigate))
    writeFileSync(
      join(folder, 'skills/lonely.json'),
      JSON.stringify({ ...navigate, name: 'lonely', dependencies: ['none'] }),
    )
    writeFileSync(join(folder, 'skills/broken.json'), '{')
    writeFileSync(
      join(folder, 'skills/greet.mjs'),
      'export const greet = { name: "greet", version: "1.0.0", parameters_schema: {}, execute: () => ({ hello: true }) }',
    )
    const app = await createMinions({
      storage: memoryStorage(),
      plugins: [skills({ load: [join(folder, 'skills')] })],
    })
    expect(app.skills.loaded.skills.map(({ name }) => name).sort()).toEqual(['greet', 'navigate'])
    expect(app.skills.problems.map(({ code }) => code).sort()).toEqual(['INVALID_SKILL', 'SYNTAX'])
    expect(app.skills.loaded.problems.map(({ message }) => message).join()).toMatch(/lonely/)
    const { agent_id } = await app.skills.spawn()
    expect(await app.skills.run(agent_id, 'greet')).toEqual({ hello: true })
    await app.close()
  })
})
