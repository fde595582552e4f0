import { eventSources, operations } from '@minions/core/operations'
import { approvalGate, definePlugin, guarded, optional, tokens } from '@minions/core/plugin'
import manifest from '../package.json' with { type: 'json' }
import { checkObject } from './arguments.js'
import { messageTransport } from './bus/transport/transport.js'
import { skillsError } from './errors.js'
import { skillsEvents } from './operations/skills-events.js'
import { skillsOperations } from './operations/skills-operations.js'
import { skillsRef } from './ref.js'
import { type SkillsOptions, SkillsSettingsSchema } from './runtime/manager/options.js'
import { skillsIn } from './runtime/manager/skills-transaction.js'
import { SubagentManager } from './runtime/manager/subagent-manager.js'
import { skillsCollections } from './runtime/state/collections.js'

/** The plugin: `app.skills` is the manager, on the app's store, clock and logger. */
export const skills = guarded('skills', (options: SkillsOptions = {}) => {
  checkObject('The plugin', options)
  const { persistence = true, ...rest } = options
  return definePlugin({
    ref: skillsRef,
    version: manifest.version,
    deps: {
      storage: tokens.store,
      clock: tokens.clock,
      ids: tokens.ids,
      log: tokens.logger,
      transport: optional(messageTransport),
      approvals: optional(approvalGate),
    },
    collections: skillsCollections,
    contributes: [
      [operations, skillsOperations],
      [eventSources, skillsEvents],
    ],
    options: { schema: SkillsSettingsSchema, value: options },
    setup: ({ storage, transport, ...parts }) =>
      SubagentManager.open({ ...parts, ...(transport && { transport }), ...rest, ...(persistence && { storage }) }),
    join(manager, { storage }) {
      if (persistence) return skillsIn(manager, storage)
      const message =
        'Subagents that are kept only in memory cannot be part of a transaction; remove `persistence: false`.'
      throw skillsError('CAPABILITY_MISSING', message)
    },
    dispose: (manager) => manager.shutdown(),
  })
})
