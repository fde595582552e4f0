import { definePlugin, type Plugin, tokens } from '@minions/core'
import { checkObject } from './arguments.js'
import { JoinedManager } from './manager/joined-manager.js'
import { type SkillsOptions, SkillsSettingsSchema } from './manager/options.js'
import { SubagentManager } from './manager/subagent-manager.js'
import { skillsCollections } from './state/collections.js'

/** The plugin: `app.skills` is the manager, on the app's store, clock and logger. */
export function skills(options: SkillsOptions = {}): Plugin<'skills', SubagentManager> {
  checkObject('The plugin', options)
  const { persistence = true, ...rest } = options
  return definePlugin({
    name: '@minions/skills-runtime',
    namespace: 'skills',
    version: '0.1.0',
    collections: skillsCollections,
    options: { schema: SkillsSettingsSchema, value: options },
    setup: (context) =>
      SubagentManager.open({
        clock: context.resolve(tokens.clock),
        ids: context.resolve(tokens.ids),
        log: context.log,
        ...rest,
        ...(persistence && { storage: context.storage }),
      }),
    // Without persistence there is nothing that a transaction could undo.
    ...(persistence && { join: (manager, { storage }) => new JoinedManager(manager, storage) }),
    dispose: (manager) => manager.shutdown(),
  })
}
