import type { Operation } from '@minions/core'
import * as agents from './agents.js'
import * as prompts from './prompts.js'
import * as tests from './tests.js'
import * as variables from './variables.js'
import * as versions from './versions.js'

/** Everything that can be done with prompts. */
export const promptOperations: readonly Operation[] = [prompts, versions, variables, tests, agents].flatMap((topic) =>
  Object.values(topic),
)
