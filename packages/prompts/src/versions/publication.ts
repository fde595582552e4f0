import { coreError } from '@minions/core'
import { jsonEqual } from '@minions/core/json'
import { inTransaction, type PromptAccess } from '../access.js'
import { syncAgents } from '../agents/agent-binding.js'
import { isTemplate, loadPrompt, type PromptMinion, type PromptTemplateMinion } from '../chain/prompt-minion.js'
import { BODY_FIELDS } from '../chat/prompt-body.js'
import { PRODUCTION } from '../labels/label-name.js'
import type { LabelState } from '../labels/label-state.js'
import { checkMove, isThere, type Move, type MoveOptions, remember } from '../labels/move-label.js'
import { PUBLISHED_FIELDS, type PublishedFields } from './publications.js'

/**
 * Moves the label `production` to a version and copies it to its prompt and to the agents bound to it. Publishing the
 * prompt itself restores its original state.
 */
export async function publishVersion(
  access: PromptAccess,
  promptId: string,
  versionId: string,
  options: MoveOptions,
): Promise<PromptTemplateMinion> {
  return inTransaction(access, async (tx) => {
    const prompt = await loadPrompt(tx, promptId)
    if (!isTemplate(prompt)) {
      throw coreError('NOT_FOUND', `Version "${versionId}" does not belong to a prompt, so it cannot be published.`)
    }
    const asked: Move = { prompt, label: PRODUCTION, targets: [{ versionId, weight: 100 }] }
    const before = (await tx.lookup.label(PRODUCTION, [promptId])).get(promptId)
    const wanted = await fieldsToPublish(tx, prompt, versionId)
    const isSame = before ? isThere(before, asked) : versionId === promptId
    if (isSame && !differs(prompt, wanted) && options.ifMove === undefined) return prompt
    const { move } = await checkMove(tx, asked, options)
    const [approved] = move.targets
    const isAsAsked = approved === undefined || approved.versionId === versionId
    const fields = isAsAsked ? wanted : await fieldsToPublish(tx, prompt, approved.versionId)
    await rememberPublication(tx, move, before, options)
    const published = (await tx.client.update(promptId, { fields }, { by: options.by })) as PromptTemplateMinion
    await syncAgents(tx, published, { by: options.by })
    return published
  })
}

/**
 * Records a move of `production`, and the content it replaces, unless the previously published version already has it.
 * The first record keeps version 0.
 */
export async function rememberPublication(
  tx: PromptAccess,
  move: Move,
  before: LabelState | undefined,
  options: MoveOptions,
): Promise<void> {
  const { prompt } = move
  const present = publishedFields(prompt)
  const [control] = before?.targets ?? []
  // A relation to the prompt itself outlives every version, so version 0 is never lost.
  if (!before) {
    const first = { ...move, targets: [{ versionId: prompt.id, weight: 100 }], salt: undefined }
    await remember(tx, first, 1, { by: options.by }, { replaced: present })
  }
  const kept = control ? await fieldsToPublish(tx, prompt, control.versionId) : present
  const isKept = (['content', ...BODY_FIELDS] as const).every((name) =>
    jsonEqual(kept[name] ?? null, present[name] ?? null),
  )
  const replaced = isKept ? {} : { replaced: present }
  await remember(tx, move, (before?.move ?? 1) + 1, options, replaced)
}

function differs(prompt: PromptTemplateMinion, fields: Awaited<ReturnType<typeof fieldsToPublish>>): boolean {
  const present = publishedFields(prompt)
  return PUBLISHED_FIELDS.some((name) => fields[name] !== undefined && !jsonEqual(fields[name], present[name] ?? null))
}

/**
 * The values to set; null removes values that the original prompt did not have, or that the version does not send to a
 * model.
 */
async function fieldsToPublish(
  access: PromptAccess,
  prompt: PromptTemplateMinion,
  versionId: string,
): Promise<Readonly<Record<string, PublishedFields[keyof PublishedFields] | null>>> {
  if (versionId !== prompt.id) {
    const absent = Object.fromEntries(BODY_FIELDS.map((name) => [name, null]))
    return { ...absent, ...publishedFields(await loadPrompt(access, versionId)) }
  }
  const original = (await access.lookup.originals([prompt.id])).get(prompt.id) ?? publishedFields(prompt)
  return Object.fromEntries(PUBLISHED_FIELDS.map((name) => [name, original[name] ?? null]))
}

/** Only the values the minion has: a version without a description leaves the prompt's unchanged. */
function publishedFields({ fields }: PromptMinion): PublishedFields {
  const present = PUBLISHED_FIELDS.filter((name) => fields[name] !== undefined)
  return Object.fromEntries(present.map((name) => [name, fields[name]]))
}
