// @ts-check
import { createHash } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bullmq } from '@minions/bullmq'
import { colony, deterministicRoles } from '@minions/colony'
import { colonyContracts } from '@minions/colony-contracts'
import { definePlugin, pluginRef, tokens } from '@minions/core/plugin'
import { defineCollection } from '@minions/core/storage'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { defineSkill, skills } from '@minions/skills-runtime'
import { jobs } from '@minions/skills-runtime/jobs'
import { workspace } from '@minions/workspace'
import { Type } from 'typebox'

/**
 * How a process of a proof is opened.
 *
 * @typedef {object} ProofOptions
 * @property {string} storage
 * @property {number} leaseMs
 * @property {number} [clockOffset] milliseconds by which the clock of this process is wrong
 * @property {string} [effects] folder in which every effect leaves a file
 * @property {string} [redis] the Redis on which BullMQ announces jobs
 */

/** One record for each commit of a job: two of one job mean that it was committed twice. */
export const commitsCollection = defineCollection({
  name: 'proof_commits',
  version: 1,
  schema: Type.Object({ commit_id: Type.String(), job_id: Type.String() }),
  key: 'commit_id',
  columns: { job_id: { type: 'string', required: true, indexed: true } },
})

/** @type {import('@minions/core/plugin').PluginRef<'@minions/proof', 'proof', { storage: import('@minions/core/storage').StoreAccess }, never>} */
const proofRef = pluginRef()('@minions/proof', 'proof')

const proof = () =>
  definePlugin({
    ref: proofRef,
    version: '1.0.0',
    deps: { storage: tokens.store },
    collections: [commitsCollection],
    setup: ({ storage }) => ({ storage }),
  })

/** Opens an app on a store that other processes of the proof have open too. @param {ProofOptions} options */
export async function openApp({ storage, leaseMs, clockOffset = 0, effects, redis }) {
  const app = await createMinions({
    storage,
    clock: () => Date.now() + clockOffset,
    plugins: [skills({ leaseMs }), jobs({ leaseMs }), announcer(redis, leaseMs), proof()],
  })
  app.skills.registry.registerAll([sleepSkill(effects)])
  return app
}

/** Opens an app with missions, whose tasks are done by the workers of others unless they are `alone`. @param {ProofOptions & { alone?: boolean }} options */
export function openMissions({ storage, leaseMs, clockOffset = 0, redis, alone = false }) {
  return createMinions({
    storage,
    clock: () => Date.now() + clockOffset,
    plugins: [
      prompts(),
      workspace({ configDir: tmpdir(), store: 'storage' }),
      skills({ leaseMs }),
      jobs({ leaseMs }),
      announcer(redis, leaseMs),
      colonyContracts(),
      // Workers die here more often than any task is worth elsewhere.
      colony({ roles: deterministicRoles(), workers: !alone, onFailure: 'retry', maxAttempts: 1000 }),
    ],
  })
}

/** @type {import('@minions/core/plugin').PluginRef<'@minions/proof-store-alone', 'storeAlone', object, never>} */
const storeAloneRef = pluginRef()('@minions/proof-store-alone', 'storeAlone')

/** BullMQ where there is a Redis for it; otherwise jobs are found in the store alone. @param {string | undefined} url @param {number} leaseMs */
function announcer(url, leaseMs) {
  if (url !== undefined) return bullmq({ url, leaseMs, prefix: 'proof' })
  return definePlugin({ ref: storeAloneRef, version: '1.0.0', setup: () => ({}) })
}

/** A skill that takes so many milliseconds and has one effect. @param {string | undefined} effects */
function sleepSkill(effects) {
  return defineSkill({
    name: 'sleep',
    version: '1.0.0',
    parameters_schema: Type.Object({ ms: Type.Number(), record: Type.Optional(Type.Boolean()) }),
    async execute({ ms, record }, context) {
      const { idempotencyKey, agentId } = context
      if (effects) closeSync(openSync(join(effects, fileOf(idempotencyKey)), 'a'))
      if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms))
      if (record) {
        context.onCommit((batch) => {
          batch?.put(commitsCollection, {
            commit_id: `${agentId} ${process.pid} ${context.attempt}`,
            job_id: idempotencyKey,
          })
          return undefined
        })
      }
      return { pid: process.pid }
    },
  })
}

/** @param {string} key */
function fileOf(key) {
  return createHash('sha256').update(key).digest('hex')
}
