import { definePlugin, operations, tokens } from '@minions/core'
import manifest from '../package.json' with { type: 'json' }
import { checkObject } from './arguments.js'
import { skillsError } from './errors.js'
import { type SkillsOptions, SkillsSettingsSchema } from './manager/options.js'
import { skillsIn } from './manager/skills-transaction.js'
import { SubagentManager } from './manager/subagent-manager.js'
import { skillsOperations } from './operations/skills-operations.js'
import { skillsRef } from './ref.js'
import { skillsCollections } from './state/collections.js'

/** The plugin: `app.skills` is the manager, on the app's store, clock and logger. */
export function skills(options: SkillsOptions = {}) {
  checkObject('The plugin', options)
  const { persistence = true, ...rest } = options
  return definePlugin({
    ref: skillsRef,
    version: manifest.version,
    deps: { storage: tokens.store, clock: tokens.clock, ids: tokens.ids, log: tokens.logger },
    collections: skillsCollections,
    contributes: [[operations, skillsOperations]],
    options: { schema: SkillsSettingsSchema, value: options },
    setup: ({ storage, ...parts }) => SubagentManager.open({ ...parts, ...rest, ...(persistence && { storage }) }),
    join(manager, { storage }) {
      if (persistence) return skillsIn(manager, storage)
      throw skillsError(
        'CAPABILITY_MISSING',
        'Subagents that are kept in memory alone cannot be part of a transaction; leave out `persistence: false`.',
      )
    },
    dispose: (manager) => manager.shutdown(),
  })
}
