import { coreError } from '@minions/core'
import type { PromptAccess } from '../access.js'
import type { PromptTemplateMinion } from '../chain/prompt-minion.js'
import { promptsError } from '../errors.js'
import { resolveLabel } from '../labels/resolve-label.js'
import { type ReadyPrompt, readyPrompt } from '../versions/ready-prompt.js'
import { isVersionNumber } from '../versions/resolve-prompt.js'
import { versionNumber } from '../versions/version-number.js'
import { findVersion, type VersionChoice } from '../versions/version-reference.js'
import type { GateReport } from './gate-report.js'

/** A version under comparison in a gate. */
export interface GateSide {
  readonly said: GateReport['baseline']
  readonly ready: ReadyPrompt
}

/** Resolves a label, or the number or id of a version; undefined if the prompt has none of that name. */
export async function findSide(
  access: PromptAccess,
  prompt: PromptTemplateMinion,
  named: VersionChoice,
): Promise<GateSide | undefined> {
  try {
    const version = isVersionNumber(named)
      ? await findVersion(access, prompt.id, Number(String(named).replace(/^v/, '')))
      : await labelled(access, prompt, String(named))
    const ready = await readyPrompt(access, version)
    return { said: { id: version.id, version: versionNumber(version), named: String(named) }, ready }
  } catch (error) {
    if (coreError.is(error, 'NOT_FOUND') || coreError.is(error, 'DELETED') || promptsError.is(error, 'LABEL_UNKNOWN')) {
      return undefined
    }
    throw error
  }
}

async function labelled(access: PromptAccess, prompt: PromptTemplateMinion, named: string) {
  try {
    return (await resolveLabel(access, prompt.id, named)).targets[0].version
  } catch (error) {
    if (promptsError.is(error, 'LABEL_UNKNOWN')) return findVersion(access, prompt.id, named)
    throw error
  }
}
