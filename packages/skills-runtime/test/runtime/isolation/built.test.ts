import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('the package as Node loads it finds the program of its worker threads', () => {
  const program = `
    import { Store } from '@minions/core/storage'
    import { memoryStorage } from '@minions/core/memory'
    import { defineSkill, SubagentManager, skillsCollections } from '@minions/skills-runtime'
    const manager = await SubagentManager.open({ storage: await Store.open(memoryStorage(), skillsCollections) })
    const shared = { version: '1.0.0', parameters_schema: { type: 'object' }, isolation: 'worker', export: 'execute' }
    const module = new URL('./skills/behaviours.mjs', ${JSON.stringify(import.meta.url)})
    manager.registry.registerSkill(defineSkill({ ...shared, name: 'add', module }))
    const { agent_id } = await manager.spawn()
    console.log(JSON.stringify(await manager.run(agent_id, 'add', { n: 1 })))
    await manager.shutdown()
  `
  const options = { cwd: import.meta.dirname, encoding: 'utf8' } as const
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], options)
  expect(JSON.parse(printed)).toMatchObject({ n: 2, isMainThread: false })
})
