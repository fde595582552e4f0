// @ts-check
// Runs one subagent and stops itself, as a suspended machine would, after the first checkpoint: `node lease-child.mjs
// <store> <how it goes on>`. When it is woken it tries to finish, and prints what became of that.
import { writeSync } from 'node:fs'
import { argv, kill, pid } from 'node:process'
import { Store } from '@minions/core/storage'
import { defineSkill, SubagentManager, skillsCollections } from '@minions/skills-runtime'
import { sqliteStorage } from '@minions/storage-sqlite'

const [, , path = '', way = ''] = argv
const store = await Store.open(sqliteStorage({ path }), skillsCollections)
const manager = await SubagentManager.open({ storage: store, leaseMs: 1500 })
manager.registry.registerSkill(
  defineSkill({
    name: 'work',
    version: '1.0.0',
    parameters_schema: { type: 'object' },
    async execute(_, context) {
      await context.checkpoint({ done: 1 })
      writeSync(1, `stopping ${context.agentId}\n`)
      kill(pid, 'SIGSTOP')
      if (way === 'checkpoint') await context.checkpoint({ done: 2 })
      return { by: 'the first process' }
    },
  }),
)
const { agent_id } = await manager.spawn()
const outcome = await manager.run(agent_id, 'work').then(
  () => 'committed',
  (error) => error.code,
)
writeSync(1, `outcome ${outcome}\n`)
await manager.shutdown()
await store.close()
