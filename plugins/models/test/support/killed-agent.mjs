// @ts-check
// Runs an agent on the store that it is told, and kills itself at one of the points it passes: before or after the n-th
// write to the store. Prints how many points there were when it is not killed.
import { createMinions } from '@minions/host'
import { skills } from '@minions/skills-runtime'
import { sqliteStorage } from '@minions/storage-sqlite'
import { agents } from '../../dist/agents/index.js'
import { models } from '../../dist/index.js'
import { travelAgent } from './travel-agent.mjs'

const { file, url, ledger, killAt } = JSON.parse(process.argv[2] ?? '{}')

let points = 0
const point = () => {
  if (points++ === killAt) process.kill(process.pid, 'SIGKILL')
}

const backend = sqliteStorage({ path: file })
const WRITES = ['transaction', 'write', 'claim']
const killing = new Proxy(backend, {
  get(target, name) {
    const value = Reflect.get(target, name, target)
    if (typeof value !== 'function') return value
    if (!WRITES.includes(String(name))) return value.bind(target)
    return async (/** @type {unknown[]} */ ...args) => {
      point()
      const result = await value.apply(target, args)
      point()
      return result
    }
  },
})

const app = await createMinions({
  storage: killing,
  plugins: [
    models({ environment: { MINIONS_MODEL: `openai-compatible:${url}#m` } }),
    skills({ leaseMs: 300 }),
    agents({ agents: [travelAgent(ledger)] }),
  ],
})
points = 0
const { agent_id } = await app.skills.spawn({ name: 'killed' })
await app.skills.run(agent_id, 'travel', { input: 'Book it.' })
process.stdout.write(`${points}\n`)
await app.close()
