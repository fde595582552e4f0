import { pluginRef } from '@minions/core/plugin'
import type { SkillsTransaction } from './runtime/manager/skills-transaction.js'
import type { SubagentManager } from './runtime/manager/subagent-manager.js'

/** The skills and subagents of an app, as other plugins depend on them. */
export const skillsRef = pluginRef<SubagentManager, SkillsTransaction>()('@minions/skills-runtime', 'skills')
