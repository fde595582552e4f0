import type { Minion, MinionsAccess } from '@minions/core'
import { copyJson } from '@minions/core/json'
import { searchableText } from '@minions/core/storage'
import { PromptChain, type PromptMinion } from '@minions/prompts'
import { exportersError } from '../errors.js'
import { checkDocument } from './check-document.js'
import type { PromptDocument } from './prompt-document.js'

/**
 * Imports an exported prompt, all or nothing, keeping ids and times. Records that already exist with identical content
 * are kept. Throws `IMPORT_INVALID`, `TemplateError` or `SCORES_INVALID` for anything that could not have been
 * exported, and `CONFLICT` when one of the ids belongs to a different record.
 */
export async function importDocument(client: MinionsAccess, source: unknown): Promise<PromptMinion> {
  const document = checkDocument(client, read(source))
  const { prompt, versions, variables, tests, results, relations } = document
  const minions = [prompt, ...versions, ...variables, ...tests, ...results]
  await client.transaction(async (tx) => {
    await tx.importRecords({ minions: minions.map(withSearchableText), relations })
    await checkChain(tx, document)
  })
  return prompt as PromptMinion
}

function read(source: unknown): unknown {
  try {
    return copyJson(typeof source === 'string' ? JSON.parse(source) : source, 'The document')
  } catch (cause) {
    throw exportersError('IMPORT_INVALID', 'The document is not JSON that can be stored.', { cause })
  }
}

/**
 * The searchable text as exported, if it is correct; its order depends on that of the fields, which stores need not
 * keep.
 */
function withSearchableText(minion: Minion): Minion {
  const text = searchableText(minion)
  const sorted = (words = '') => words.split(' ').sort().join(' ')
  return sorted(text) === sorted(minion.searchableText) ? minion : { ...minion, searchableText: text }
}

/** The versions must be those of the prompt, or exporting would not reproduce the document. */
async function checkChain(tx: MinionsAccess, { prompt, versions, relations }: PromptDocument): Promise<void> {
  const chain = new PromptChain(tx)
  const found = await chain.getVersionChain(prompt.id, { includeDeleted: true })
  const ids = new Set(found.map((minion) => minion.id))
  const stray = versions.find((version) => !ids.has(version.id))
  if (stray || (await chain.getRoot(prompt.id)).id !== prompt.id) {
    throw exportersError('IMPORT_INVALID', 'The versions of the document are not all linked to its prompt.', {
      details: { id: stray?.id ?? prompt.id },
    })
  }
  const following = new Set(
    relations
      .filter(({ type, sourceId, targetId }) => type === 'follows' && sourceId !== targetId && ids.has(targetId))
      .map(({ sourceId }) => sourceId),
  )
  const second = versions.find((version) => !following.has(version.id))
  if (second) {
    throw exportersError(
      'IMPORT_INVALID',
      `The chain of the document has two roots, "${prompt.id}" and "${second.id}".`,
      { details: { id: second.id } },
    )
  }
}
