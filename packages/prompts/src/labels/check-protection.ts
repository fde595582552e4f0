import { mayBeSamePerson } from '@minions/core/plugin'
import type { PromptAccess } from '../access.js'
import { clientReader } from '../chain/chain-reader.js'
import type { PromptMinion } from '../chain/prompt-minion.js'
import { promptsError } from '../errors.js'
import { movesOf } from './label-moves.js'

/** A requested move: the caller, the label of a prompt, and the versions. */
export interface Attempt {
  readonly promptId: string
  readonly label: string
  readonly versions: readonly PromptMinion[]
  readonly by: string | undefined
}

/**
 * Throws `LABEL_PROTECTED` unless a label is not protected, or the person who moves it wrote none of the versions.
 * Moving it back to an earlier target requires a named person, who may be the author.
 */
export async function checkProtection(tx: PromptAccess, attempt: Attempt): Promise<void> {
  const { promptId, label, versions, by } = attempt
  if (!(await tx.lookup.isProtected(label))) return
  if (!by) throw refused(attempt, 'pass the person who moves it as `by`')
  const moves = (await movesOf(clientReader(tx.client), [promptId])).get(promptId) ?? []
  const earlier = new Set(
    moves.filter((move) => move.label === label).flatMap(({ targets }) => targets.map(({ versionId }) => versionId)),
  )
  for (const version of versions) {
    if (earlier.has(version.id)) continue
    if (version.createdBy === undefined) {
      throw refused(
        attempt,
        `version "${version.id}" does not record its author, so it cannot be shown that another person moves it`,
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
