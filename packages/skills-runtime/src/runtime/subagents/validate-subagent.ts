import { guarded } from '@minions/core/plugin'
import { jsonIssues, recordValidator, validatorOf } from '../../validation.js'
import { SubagentSchema } from './subagent-schema.js'

const validateRecord = recordValidator(SubagentSchema)

/** Checks the record of a subagent against every rule that needs neither registry nor store. Pure. */
export const validateSubagent = guarded(
  'validateSubagent',
  validatorOf((record) => {
    const issues = jsonIssues(record)
    return issues.length > 0 ? issues : validateRecord(record)
  }),
  { checksInside: false },
)
