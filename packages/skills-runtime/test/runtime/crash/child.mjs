// @ts-check
// Runs chains of skills on a store until it is killed: `node child.mjs <store> <journal> [finish]`.
// Everything it does is appended to the journal: effects before their checkpoint, acknowledgements after the commit. For
// each line it also prints a dot.
import { appendFileSync } from 'node:fs'
import { argv, stdout } from 'node:process'
import { Store } from '@minions/core/storage'
import { defineSkill, SubagentManager, skillsCollections } from '@minions/skills-runtime'
import { sqliteStorage } from '@minions/storage-sqlite'

const [, , path = '', journal = '', mode] = argv
const parts = 3
const names = ['first', 'second', 'third', 'fourth']

/** @param {...(string | number)} words */
const note = (...words) => {
  appendFileSync(journal, `${words.join(' ')}\n`)
  stdout.write('.')
}
const pause = () => new Promise((resolve) => setTimeout(resolve, 1))

const store = await Store.open(sqliteStorage({ path, synchronous: 'off' }), skillsCollections)
const manager = await SubagentManager.open({ storage: store, leaseMs: 60 })
manager.registry.registerAll(
  names.map((name, index) =>
    defineSkill({
      name,
      version: '1.0.0',
      dependencies: index === 0 ? [] : [/** @type {string} */ (names[index - 1])],
      parameters_schema: { type: 'object' },
      async execute(_, context) {
        for (let part = Number(context.state ?? 0); part < parts; part++) {
          note('effect', context.agentId, name, part, context.idempotencyKey)
          await pause()
          await context.checkpoint(part + 1)
          note('checkpointed', context.agentId, name, part)
        }
        return { name, parts }
      },
    }),
  ),
)
manager.events.on('execution.ended', ({ agent_id, execution_id, skill_name, status }) => {
  note('ended', agent_id, skill_name, execution_id, status)
})

const interrupted = await manager.list({ state: ['running', 'paused'] })
const resumed = interrupted.map(async ({ agent_id }) => {
  await manager.resume(agent_id)
  await manager.wait(agent_id)
})

async function work() {
  for (;;) {
    const { agent_id } = await manager.spawn()
    await manager.runChain(agent_id, 'fourth')
    note('completed', agent_id)
  }
}

if (mode === 'finish') {
  await Promise.all(resumed)
  await manager.shutdown()
  await store.close()
} else {
  await Promise.all([...resumed, work(), work()])
}
