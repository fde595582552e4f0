// @ts-check
// What went wrong in another process, with a given text wherever one can be: in errors, logs and messages.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { colony, deterministicRoles, exampleMission } from '@minions/colony'
import { colonyContracts } from '@minions/colony-contracts'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { defineSkill, skills } from '@minions/skills-runtime'
import { workspace } from '@minions/workspace'
import { storageOf } from './studio.mjs'

/** Runs a skill that fails twice, for an agent with messages, and a mission whose task fails. @param {string} folder @param {string} text */
export async function failedRuns(folder, text) {
  /** @returns {never} */
  const failing = () => {
    throw new Error(text)
  }
  const app = await createMinions({
    storage: storageOf(folder),
    plugins: [
      prompts(),
      workspace({ configDir: join(folder, 'store'), store: 'storage' }),
      colonyContracts(),
      skills({ messages: { persistence: true } }),
      colony({ roles: { ...deterministicRoles(), worker: failing } }),
    ],
  })
  const flaky = defineSkill({
    name: 'flaky',
    version: '1.0.0',
    parameters_schema: { type: 'object' },
    max_retries: 1,
    execute(_, { log }) {
      log.info(`attempt of ${text}`)
      return failing()
    },
  })
  try {
    app.skills.registry.registerAll([flaky])
    const { agent_id } = await app.skills.spawn({ name: 'pump' })
    await app.skills.bus.dispatch({
      sender_id: agent_id,
      recipient_id: agent_id,
      topic: null,
      message_type: 'event',
      payload: { text },
    })
    await app.skills.run(agent_id, 'flaky', {}).catch(() => undefined)
    const [execution] = await app.skills.executions({ agent_id })
    const mission = randomUUID()
    const { tasks } = await app.colony.run({ ...exampleMission.envelope, mission_id: mission })
    const task = tasks.find(({ status }) => status === 'failed')?.task_id
    return { mission, task, agent: agent_id, execution: execution?.execution_id }
  } finally {
    await app.close()
  }
}
