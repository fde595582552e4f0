import type { Operation } from '@minions/core'
import * as rules from './rules.js'
import * as sessions from './sessions.js'
import * as workspaces from './workspaces.js'

/** Everything that can be done with workspaces. */
export const workspaceOperations: readonly Operation[] = [workspaces, rules, sessions].flatMap((topic) =>
  Object.values(topic),
)
