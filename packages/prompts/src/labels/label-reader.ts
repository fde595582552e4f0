import type { PromptAccess } from '../access.js'
import type { RenderedMessage } from '../chat/message.js'
import type { RenderOptions } from '../template/compiled-template.js'
import { type ReadyPrompt, readyPrompt } from '../versions/ready-prompt.js'
import { renderMessagesWith, renderWith } from '../versions/render-prompt.js'
import { chooseTarget } from './choose-target.js'
import { type ResolvedLabel, type ResolvedTarget, resolveLabel } from './resolve-label.js'

/** The resolution of a label, with everything needed to render it. */
export interface ReadyLabel extends ResolvedLabel {
  readonly targets: readonly [ReadyTarget, ...ReadyTarget[]]
}

export interface ReadyTarget extends ResolvedTarget {
  /** Decides, together with a key, which of several targets is used. */
  readonly salt: string
  /** The version with everything needed to render it. */
  readonly ready: ReadyPrompt
}

/** Resolves labels. */
export class LabelReader {
  readonly #read: (idOrName: string, label: string) => Promise<ReadyLabel>

  constructor(read: (idOrName: string, label: string) => Promise<ReadyLabel>) {
    this.#read = read
  }

  /** The version assigned to a key; without a key, the control. */
  async target(idOrName: string, label: string, key?: string): Promise<ReadyTarget> {
    const { targets } = await this.#read(idOrName, label)
    const [control, second] = targets
    if (!second || key === undefined) return control
    return chooseTarget(targets, control.salt, String(key))
  }

  /** Renders the version assigned to a key. */
  async render(
    idOrName: string,
    label: string,
    key: string | undefined,
    values: Readonly<Record<string, unknown>>,
    options: RenderOptions,
  ): Promise<string> {
    return renderWith((await this.target(idOrName, label, key)).ready, values, options)
  }

  /** Renders the messages of the version assigned to a key. */
  async renderMessages(
    idOrName: string,
    label: string,
    key: string | undefined,
    values: Readonly<Record<string, unknown>>,
    options: RenderOptions,
  ): Promise<RenderedMessage[]> {
    return renderMessagesWith((await this.target(idOrName, label, key)).ready, values, options)
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
