// @ts-check
// Prints the resident memory, in megabytes, of a process in which 1,000 subagents run at once.
import { defineSkill, SubagentManager } from '@minions/skills-runtime'

const manager = new SubagentManager()
/** @type {() => void} */
let release = () => undefined
const released = new Promise((resolve) => {
  release = () => resolve(undefined)
})
manager.registry.registerSkill(
  defineSkill({
    name: 'wait',
    version: '1.0.0',
    parameters_schema: { type: 'object' },
    async execute(_, { signal }) {
      signal.throwIfAborted()
      await released
      return {}
    },
  }),
)
const agents = await Promise.all(Array.from({ length: 1000 }, () => manager.spawn()))
const runs = agents.map(({ agent_id }) => manager.run(agent_id, 'wait'))
await new Promise((resolve) => setImmediate(resolve))
const { running } = await manager.stats()
if (running !== 1000) throw new Error(`only ${running} subagents are running`)
console.log((process.memoryUsage().rss / 1024 / 1024).toFixed(1))
release()
await Promise.all(runs)
await manager.shutdown()
