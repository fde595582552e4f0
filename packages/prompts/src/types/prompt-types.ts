import { promptResultType } from './prompt-result.js'
import { promptTemplateType } from './prompt-template.js'
import { promptTestType } from './prompt-test.js'
import { promptVariableType } from './prompt-variable.js'
import { promptVersionType } from './prompt-version.js'

/** All types of this package, in the order of the specification. */
export const promptTypes = [
  promptTemplateType,
  promptVersionType,
  promptVariableType,
  promptTestType,
  promptResultType,
] as const
