import { jsonEqual } from '@minions/core/json'
import type { MinionChange } from '@minions/core/plugin'
import { BODY_FIELDS, checkBody } from './chat/prompt-body.js'
import { checkAssertions } from './scoring/assertions.js'
import { assertScores } from './scoring/scores.js'
import { compileTemplate } from './template/compiled-template.js'
import { assertVariableName } from './template/variable-name.js'
import { promptResultType } from './types/prompt-result.js'
import { promptTemplateType } from './types/prompt-template.js'
import { promptTestType } from './types/prompt-test.js'
import { promptVariableType } from './types/prompt-variable.js'
import { promptVersionType } from './types/prompt-version.js'
import { defaultOf, type PromptVariableMinion } from './variables/variable-value.js'

/**
 * Rejects what a type's schema cannot: a malformed template, a variable with an unusable name or an invalid default
 * value, a score out of range. Only newly written values are checked, so that existing records can still be changed
 * otherwise, imported and migrated.
 */
export function checkChange({ kind, before, after }: MinionChange): void {
  if (!after || (kind !== 'created' && kind !== 'updated')) return
  const changed = (name: string) => !jsonEqual(before?.fields[name], after.fields[name])
  const { content, scores } = after.fields
  switch (after.minionTypeId) {
    case promptTemplateType.id:
    case promptVersionType.id:
      if (BODY_FIELDS.some(changed)) checkBody(after.fields)
      if (typeof content === 'string' && changed('content')) compileTemplate(content)
      break
    case promptVariableType.id:
      if (before?.title !== after.title) assertVariableName(after.title)
      if (changed('defaultValue') || changed('variableType')) defaultOf(after as PromptVariableMinion)
      break
    case promptTestType.id:
      if (changed('assertions')) checkAssertions(after.fields.assertions)
      break
    case promptResultType.id:
      if (changed('scores')) assertScores(scores)
  }
}
