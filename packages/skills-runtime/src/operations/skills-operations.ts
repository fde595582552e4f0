import type { Operation } from '@minions/core/operations'
import * as agents from './agents.js'
import * as executions from './executions.js'
import * as messages from './messages.js'
import * as skills from './skills.js'

export const skillsOperations = [
  skills.list,
  skills.get,
  skills.dependencies,
  skills.register,
  skills.run,
  agents.spawn,
  agents.list,
  agents.get,
  agents.pause,
  agents.resume,
  agents.cancel,
  executions.list,
  executions.get,
  messages.send,
  messages.list,
  messages.deadLetters,
] as const satisfies readonly Operation[]
