import type { Operation } from '@minions/core/operations'
import * as agents from './agents.js'
import * as gate from './gate.js'
import * as labels from './labels.js'
import { preview } from './preview.js'
import * as prompts from './prompts.js'
import * as tests from './tests.js'
import * as variables from './variables.js'
import * as versions from './versions.js'

/** Everything that can be done with prompts. */
export const promptOperations = [
  ...Object.values(prompts),
  preview,
  ...Object.values(versions),
  ...Object.values(labels),
  ...Object.values(variables),
  ...Object.values(tests),
  ...Object.values(gate),
  ...Object.values(agents),
] as const satisfies readonly Operation[]
