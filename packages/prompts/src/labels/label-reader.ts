import type { PromptAccess } from '../access.js'
import { type ReadyPrompt, readyPrompt } from '../versions/ready-prompt.js'
import { chooseTarget } from './choose-target.js'
import { type ResolvedLabel, type ResolvedTarget, resolveLabel } from './resolve-label.js'

/** The resolution of a label, with everything needed to render it. */
export interface ReadyLabel extends ResolvedLabel {
  readonly targets: readonly [ReadyTarget, ...ReadyTarget[]]
}

interface ReadyTarget extends ResolvedTarget {
  /** Decides, together with a key, which of several targets is used. */
  readonly salt: string
  /** The version with everything needed to render it. */
  readonly ready: ReadyPrompt
}

/** Resolves to the version assigned to a key; without a key, to the control. */
export type ReadTarget = (idOrName: string, label: string, key?: string) => Promise<ReadyTarget>

export function targetReader(read: (idOrName: string, label: string) => Promise<ReadyLabel>): ReadTarget {
  return async (idOrName, label, key) => {
    const { targets } = await read(idOrName, label)
    const [control, second] = targets
    return second && key !== undefined ? chooseTarget(targets, control.salt, String(key)) : control
  }
}

/** Reads a label and everything needed to render it from the store. */
export async function readLabel(access: PromptAccess, idOrName: string, label: string): Promise<ReadyLabel> {
  const resolved = await resolveLabel(access, idOrName, label)
  const salt = resolved.state?.salt ?? resolved.prompt.id
  const ready: ReadyTarget[] = []
  for (const target of resolved.targets) {
    ready.push({ ...target, salt, ready: await readyPrompt(access, target.version) })
  }
  return { ...resolved, targets: ready as [ReadyTarget, ...ReadyTarget[]] }
}
