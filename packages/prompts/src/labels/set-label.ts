import { inTransaction, type PromptAccess } from '../access.js'
import { PromptChain } from '../chain/prompt-chain.js'
import type { PromptTemplateMinion } from '../chain/prompt-minion.js'
import { promptsError } from '../errors.js'
import { publishVersion, rememberPublication } from '../versions/publication.js'
import { findVersion, type VersionChoice } from '../versions/version-reference.js'
import { assertLabel, PRODUCTION } from './label-name.js'
import type { LabelState } from './label-state.js'
import { checkMove, isThere, type Move, type MoveOptions, remember } from './move-label.js'
import { loadTemplate } from './resolve-label.js'

export async function setLabel(
  access: PromptAccess,
  promptId: string,
  label: string,
  version: VersionChoice | undefined,
  options: MoveOptions,
): Promise<LabelState> {
  assertLabel(label)
  return inTransaction(access, async (tx) => {
    const prompt = await loadTemplate(tx, promptId)
    const { id: versionId } =
      version === undefined
        ? await new PromptChain(tx.client, tx.lookup).getLatestVersion(prompt.id)
        : await findVersion(tx, prompt.id, version)
    if (label === PRODUCTION) {
      await publishVersion(tx, prompt.id, versionId, options)
      return stateAfter(tx, prompt, label)
    }
    return makeMove(tx, { prompt, label, targets: [{ versionId, weight: 100 }] }, options)
  })
}

/** Moves a label, unless it already has these targets. The content that it publishes is copied elsewhere. */
export async function makeMove(tx: PromptAccess, asked: Move, options: MoveOptions): Promise<LabelState> {
  const { before, move } = await checkMove(tx, asked, options)
  if (before && isThere(before, move)) return before
  if (move.label === PRODUCTION) await rememberPublication(tx, move, before, options)
  else await remember(tx, move, (before?.move ?? 0) + 1, options)
  return stateAfter(tx, move.prompt, move.label)
}

/** Removes a label from a prompt; its history stays. Throws `LABEL_UNKNOWN`, and `LABEL_INVALID` for `production`. */
export async function removeLabel(
  access: PromptAccess,
  promptId: string,
  label: string,
  options: MoveOptions,
): Promise<LabelState> {
  assertLabel(label)
  if (label === PRODUCTION) {
    throw promptsError(
      'LABEL_INVALID',
      `The label "${PRODUCTION}" cannot be removed; move it with publish or rollback.`,
    )
  }
  return inTransaction(access, async (tx) => {
    const prompt = await loadTemplate(tx, promptId)
    const { before, move } = await checkMove(tx, { prompt, label, targets: [] }, options)
    if (!before || before.targets.length === 0) {
      throw promptsError('LABEL_UNKNOWN', `Prompt "${prompt.title}" has no label "${label}".`, {
        details: { promptId: prompt.id, label },
      })
    }
    await remember(tx, move, before.move + 1, options)
    return stateAfter(tx, prompt, label)
  })
}

/** The state of a label inside the transaction that moved it. */
async function stateAfter(tx: PromptAccess, prompt: PromptTemplateMinion, label: string): Promise<LabelState> {
  return (await tx.lookup.label(label, [prompt.id])).get(prompt.id) ?? unpublished(prompt)
}

/** `production` before the first publication: the prompt itself. */
export function unpublished({ id, createdAt }: PromptTemplateMinion): LabelState {
  return { promptId: id, label: PRODUCTION, move: 0, targets: [{ versionId: id, weight: 100 }], at: createdAt }
}
