import { type By, coreError, type MinionsAccess } from '@minions/core'
import { jsonEqual } from '@minions/core/json'
import { callingBack } from '@minions/core/plugin'
import type { PromptAccess } from '../access.js'
import { isTemplate, loadPrompts, type PromptMinion, type PromptTemplateMinion } from '../chain/prompt-minion.js'
import { messagesOf } from '../chat/prompt-body.js'
import { includeFragments } from '../fragments/include-fragments.js'
import { refuseMessages } from '../fragments/refuse-messages.js'
import { asFirstVersions } from '../versions/publications.js'
import { checkApproval } from './check-approval.js'
import type { LabelChange, LabelGuard } from './label-guard.js'
import { moveMetadata } from './label-moves.js'
import type { LabelState, LabelTarget } from './label-state.js'

export interface MoveOptions extends By {
  /** Fail with `CONFLICT` unless the label was moved exactly this many times; 0: unless it was never set. */
  readonly ifMove?: number | undefined
  /** Reason, for the history. */
  readonly reason?: string | undefined
}

/** New target of a label. */
export interface Move {
  readonly prompt: PromptTemplateMinion
  readonly label: string
  /** Empty to remove the label. */
  readonly targets: readonly LabelTarget[]
  readonly salt?: string | undefined
}

/**
 * Checks whether a label may be moved: that its state is what the caller expects, that it is not protected from the
 * caller, and that no guard objects. Resolves to its current state and to the move to make, which differs from the
 * request if the approver chose other versions.
 */
export async function checkMove(
  tx: PromptAccess,
  asked: Move,
  { by, ifMove, reason }: MoveOptions,
): Promise<{ readonly before: LabelState | undefined; readonly move: Move }> {
  const { prompt, label } = asked
  const before = (await tx.lookup.label(label, [prompt.id])).get(prompt.id)
  if (ifMove !== undefined && ifMove !== (before?.move ?? 0)) throw movedMeanwhile(prompt, label, before)
  const versions = await usableVersions(tx, asked)
  const targets = await checkApproval(tx, { promptId: prompt.id, label, versions, by }, asked.targets)
  if (targets !== asked.targets) await usableVersions(tx, { prompt, label, targets })
  const change = { promptId: prompt.id, label, before, targets: [...targets], by, reason }
  for (const guard of tx.guards ?? []) await checkWith(guard, change, tx.client)
  return { before, move: { ...asked, targets } }
}

/** The versions of a move: all their fragments must exist, and they must fit wherever others include this prompt. */
async function usableVersions(tx: PromptAccess, { prompt, label, targets }: Move): Promise<PromptMinion[]> {
  const ids = targets.map(({ versionId }) => versionId)
  const versions = await loadPrompts(tx.client, ids)
  for (const version of versions) await includeFragments(tx, version)
  // Others include the control of a split; the prompt itself stands for what it was at first.
  const first = versions.find(({ id }) => id === ids[0])
  const [control] = first && isTemplate(first) ? await asFirstVersions(tx, [first]) : [first]
  if (control && messagesOf(control)) await refuseMessages(tx, prompt, label)
  return versions
}

/** True if a label already has these targets. */
export function isThere(before: LabelState | undefined, { targets, salt }: Move): boolean {
  return before !== undefined && before.salt === salt && jsonEqual(before.targets, targets)
}

/** Records a label move. The content it publishes is copied elsewhere. */
export async function remember(
  { client }: PromptAccess,
  { prompt, label, targets, salt }: Move,
  move: number,
  { by, reason }: MoveOptions,
  extra: object = {},
): Promise<void> {
  const link = (targetId: string, rest: object) =>
    client.link(
      {
        sourceId: prompt.id,
        targetId,
        type: 'references',
        metadata: { ...moveMetadata(label, move, { salt, reason, ...rest }), ...extra },
      },
      { by },
    )
  if (targets.length === 0) await link(prompt.id, { removed: true })
  const isSplit = targets.length > 1
  for (const [position, { versionId, weight }] of targets.entries()) {
    await link(versionId, isSplit ? { position, weight } : {})
  }
}

function movedMeanwhile({ id }: PromptTemplateMinion, label: string, before: LabelState | undefined): Error {
  const now = before ? `${before.targets.map(({ versionId }) => versionId).join(', ') || 'nothing'}` : 'nothing yet'
  const who = before?.by === undefined ? '' : `, moved by "${before.by}"`
  return coreError(
    'CONFLICT',
    `The label "${label}" of "${id}" was moved in the meantime: it points to ${now}${who}.`,
    { details: { promptId: id, label, move: before?.move ?? 0, targets: before?.targets ?? [], by: before?.by } },
  )
}

const checkWith = callingBack((guard: LabelGuard, change: LabelChange, client: MinionsAccess) =>
  guard.check(change, client),
)
