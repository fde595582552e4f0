import type { PromptAccess } from '../access.js'
import { nameTaken } from './name-index.js'
import { assertPromptName, nameFromTitle } from './prompt-name.js'

/** Number of names tried before a random one is used. */
const TRIES = 20

export interface ChosenName {
  readonly name: string
  /** True if the name redirected to another prompt, which had it before. */
  readonly isTakenOver: boolean
}

/** The name of a new prompt: the given one, which must be free, or one derived from its title. */
export async function chooseName(tx: PromptAccess, given: string | undefined, title: string): Promise<ChosenName> {
  if (given !== undefined) {
    assertPromptName(given)
    const holder = await tx.lookup.named(given)
    if (holder && !holder.former) throw nameTaken(given, holder.promptId)
    return { name: given, isTakenOver: holder !== undefined }
  }
  const base = nameFromTitle(String(title))
  for (let count = 1; count <= TRIES; count++) {
    const name = count === 1 ? base : `${base}-${count}`
    if (!(await tx.lookup.named(name))) return { name, isTakenOver: false }
  }
  return { name: `${base}-${crypto.randomUUID().slice(0, 8)}`, isTakenOver: false }
}
