import type { Operation } from '@minions/core/operations'
import * as memory from './memory.js'
import * as rules from './rules.js'
import * as sessions from './sessions.js'
import * as workspaces from './workspaces.js'

export const workspaceOperations = [
  ...Object.values(workspaces),
  ...Object.values(rules),
  ...Object.values(sessions),
  ...Object.values(memory),
] as const satisfies readonly Operation[]
