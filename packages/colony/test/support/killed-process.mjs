// @ts-check
// Runs a mission of thirty tasks on the store that it is told, until it is killed. Prints a line for every task it begins.
import { colonyContracts } from '@minions/colony-contracts'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { skills } from '@minions/skills-runtime'
import { workspace } from '@minions/workspace'
import { colony } from '../../dist/index.js'

/** @param {string} line */
const say = (line) => process.stdout.write(`${line}\n`)

const { storage, configDir, envelope, tasks, leaseMs } = JSON.parse(process.argv[2] ?? '{}')
const app = await createMinions({
  storage,
  from: import.meta.url,
  plugins: [
    prompts(),
    workspace({ configDir, store: 'storage' }),
    skills({ leaseMs }),
    colonyContracts(),
    colony({
      concurrency: 4,
      roles: {
        planner() {
          say('planning')
          return { tasks }
        },
        async worker({ task, read }) {
          say(task.task_id)
          await new Promise((resolve) => setTimeout(resolve, 2))
          return { output_text: `${task.task_id} after ${read('worker_result').length}`, confidence: 1 }
        },
      },
    }),
  ],
})
say('ready')
await app.colony.run(envelope)
say('done')
await app.close()
