import { coreError, isDeleted, nearestName } from '@minions/core'
import type { PromptAccess } from '../access.js'
import { PromptChain } from '../chain/prompt-chain.js'
import {
  isTemplate,
  loadLivePrompt,
  loadPrompts,
  type PromptMinion,
  type PromptTemplateMinion,
  wrongType,
} from '../chain/prompt-minion.js'
import { promptsError } from '../errors.js'
import { promptTemplateType } from '../types/prompt-template.js'
import { asFirstVersions } from '../versions/publications.js'
import { isLabel, LATEST, PRODUCTION } from './label-name.js'
import type { LabelState, LabelTarget } from './label-state.js'

/** A version that a label points to. */
export interface ResolvedTarget extends LabelTarget {
  readonly version: PromptMinion
}

/** The resolution of a label of a prompt. */
export interface ResolvedLabel {
  readonly prompt: PromptTemplateMinion
  readonly label: string
  /** Undefined for `latest`, and for `production` before the first publication. */
  readonly state: LabelState | undefined
  /** At least one; the first is the control. */
  readonly targets: readonly [ResolvedTarget, ...ResolvedTarget[]]
}

/** The prompt with an id or name; given a version, its prompt. */
export async function loadTemplate(access: PromptAccess, idOrName: string): Promise<PromptTemplateMinion> {
  const minion = await loadLivePrompt(access, idOrName)
  if (isTemplate(minion)) return minion
  const root = await loadLivePrompt(access, await access.lookup.rootId(minion))
  if (isTemplate(root)) return root
  throw wrongType(root, [promptTemplateType])
}

/**
 * Resolves a label. `latest` is the latest version, and `production` the prompt itself before the first publication.
 * Throws `LABEL_UNKNOWN` for a label that was not set.
 */
export async function resolveLabel(access: PromptAccess, idOrName: string, label: string): Promise<ResolvedLabel> {
  const prompt = await loadTemplate(access, idOrName)
  if (label === LATEST) {
    const version = await new PromptChain(access.client, access.lookup).getLatestVersion(prompt.id)
    return { prompt, label, state: undefined, targets: [{ versionId: version.id, weight: 100, version }] }
  }
  const state = isLabel(label) ? (await access.lookup.label(label, [prompt.id])).get(prompt.id) : undefined
  if (!state && label === PRODUCTION) {
    return { prompt, label, state, targets: [{ versionId: prompt.id, weight: 100, version: prompt }] }
  }
  if (!state || state.targets.length === 0) throw await unknown(access, prompt, label)
  const [first, ...others] = await versionsOf(access, prompt, state)
  return { prompt, label, state, targets: [first as ResolvedTarget, ...others] }
}

/** The versions that a label points to. Throws `DELETED` when one of them is deleted or removed. */
async function versionsOf(
  access: PromptAccess,
  prompt: PromptTemplateMinion,
  { label, targets }: LabelState,
): Promise<ResolvedTarget[]> {
  const ids = targets.map(({ versionId }) => versionId).filter((id) => id !== prompt.id)
  const found = new Map<string, PromptMinion>(
    (await loadPrompts(access.client, ids)).map((minion) => [minion.id, minion]),
  )
  if (ids.length < targets.length)
    for (const first of await asFirstVersions(access, [prompt])) found.set(prompt.id, first)
  return targets.map((target) => {
    const version = found.get(target.versionId)
    if (version && !isDeleted(version)) return { ...target, version }
    throw coreError(
      'DELETED',
      `The label "${label}" of "${prompt.id}" points to version "${target.versionId}", which is deleted; restore it, or move the label.`,
      { details: { promptId: prompt.id, label, id: target.versionId } },
    )
  })
}

async function unknown(access: PromptAccess, prompt: PromptTemplateMinion, label: string): Promise<Error> {
  const set = (await access.lookup.labels(prompt.id)).filter(({ targets }) => targets.length > 0)
  const labels = [...new Set([PRODUCTION, LATEST, ...set.map((state) => state.label)])]
  const nearest = typeof label === 'string' ? nearestName(label, labels) : undefined
  const hint = nearest === undefined ? `it has ${labels.join(', ')}` : `did you mean "${nearest}"?`
  return promptsError(
    'LABEL_UNKNOWN',
    `Prompt "${prompt.title}" has no label ${JSON.stringify(label)?.slice(0, 100)}; ${hint}${hint.endsWith('?') ? '' : '.'}`,
    { details: { promptId: prompt.id, label, labels } },
  )
}
