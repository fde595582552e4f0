import { mayBeSamePerson } from '@minions/core/plugin'
import type { PromptAccess } from '../access.js'
import { clientReader } from '../chain/chain-reader.js'
import type { PromptMinion } from '../chain/prompt-minion.js'
import { promptsError } from '../errors.js'
import { movesOf } from './label-moves.js'

/** Who moves which label of a prompt to which versions. */
export interface Attempt {
  readonly promptId: string
  readonly label: string
  readonly versions: readonly PromptMinion[]
  readonly by: string | undefined
}

/**
 * Throws `LABEL_PROTECTED` unless a label is free to move, or the person who moves it wrote none of the versions. Going back
 * to a version that the label pointed to before takes a named person, who may be the author.
 */
export async function checkProtection(tx: PromptAccess, attempt: Attempt): Promise<void> {
  const { promptId, label, versions, by } = attempt
  if (!(await tx.lookup.isProtected(label))) return
  if (!by) throw refused(attempt, 'say who moves it with `by`')
  const moves = (await movesOf(clientReader(tx.client), [promptId])).get(promptId) ?? []
  const earlier = new Set(
    moves.filter((move) => move.label === label).flatMap(({ targets }) => targets.map(({ versionId }) => versionId)),
  )
  for (const version of versions) {
    if (earlier.has(version.id)) continue
    if (version.createdBy === undefined) {
      throw refused(
        attempt,
        `version "${version.id}" does not say who wrote it, so no one can be shown to be another person`,
      )
    }
    if (mayBeSamePerson(version.createdBy, by))
      throw refused(attempt, `"${by}" wrote version "${version.id}"; someone else must move it`)
  }
}

function refused({ promptId, label, by }: Attempt, why: string): Error {
  return promptsError('LABEL_PROTECTED', `The label "${label}" is protected: ${why}.`, {
    details: { promptId, label, by },
  })
}
