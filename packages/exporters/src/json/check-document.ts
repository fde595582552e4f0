import { type Minion, type MinionsAccess, validateFields } from '@minions/core'
import { describeIssues, ownSchema } from '@minions/core/schema'
import {
  assertScores,
  compileTemplate,
  promptResultType,
  promptTemplateType,
  promptTestType,
  promptVariableType,
  promptVersionType,
} from '@minions/prompts'
import { exportersError } from '../errors.js'
import { type PromptDocument, PromptDocumentSchema } from './prompt-document.js'

const documentSchema = ownSchema(PromptDocumentSchema)

/** The types of the minions in each part of a document. */
const PARTS = {
  prompt: [promptTemplateType.id, promptVersionType.id],
  versions: [promptTemplateType.id, promptVersionType.id],
  variables: [promptVariableType.id],
  tests: [promptTestType.id],
  results: [promptResultType.id],
} as const satisfies Partial<Record<keyof PromptDocument, readonly string[]>>

/** Returns the document, or throws with its problem. */
export function checkDocument(client: MinionsAccess, value: unknown): PromptDocument {
  const { check, issues } = documentSchema()
  if (!check(value)) {
    const errors = issues(value)
    const why = describeIssues(errors, 'it', 3)
    throw invalid(`it does not have the form of a prompt export: ${why}`, {
      format: 'minions-prompt',
      version: 1,
      errors,
    })
  }
  const ids = new Set<string>()
  for (const [part, types] of Object.entries(PARTS)) {
    const content = value[part as keyof typeof PARTS]
    for (const minion of Array.isArray(content) ? content : [content]) {
      if (ids.has(minion.id)) throw invalid(`two minions have the id "${minion.id}"`, { id: minion.id })
      ids.add(minion.id)
      if (!(types as readonly string[]).includes(minion.minionTypeId)) {
        throw invalid(`"${minion.id}" is of type "${minion.minionTypeId}", which is not allowed among ${part}`, {
          id: minion.id,
        })
      }
      checkMinion(client, minion)
    }
  }
  for (const { id, sourceId, targetId } of value.relations) {
    const outside = [sourceId, targetId].find((end) => !ids.has(end))
    if (outside)
      throw invalid(`the relation "${id}" refers to "${outside}", which the document does not contain`, { id })
  }
  return value
}

/** An import must not add records that could not be saved. */
function checkMinion(client: MinionsAccess, minion: Minion): void {
  const type = client.types.get(minion.minionTypeId)
  if (!type) throw invalid(`the store has no type "${minion.minionTypeId}"; add the prompts plugin`, { id: minion.id })
  const { valid, errors } = validateFields(minion.fields, type.schema)
  if (!valid) {
    const problems = errors.map(({ message }) => message).join(' ')
    throw invalid(`the fields of "${minion.id}" are not valid: ${problems}`, { id: minion.id, errors })
  }
  if (typeof minion.fields.content === 'string') compileTemplate(minion.fields.content)
  if (type.id === promptResultType.id) assertScores(minion.fields.scores)
}

function invalid(problem: string, details: Readonly<Record<string, unknown>>): Error {
  return exportersError('IMPORT_INVALID', `The document cannot be imported: ${problem}.`, { details })
}
