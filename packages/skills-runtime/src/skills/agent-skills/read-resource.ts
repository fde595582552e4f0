import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import type { AgentSkill } from './agent-skill.js'
import { checkedFile } from './checked-file.js'

/** The content of a skill's file: as text if it is UTF-8, otherwise in base64. */
export type ResourceContent =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly base64: string }

const MAX_RESOURCE_BYTES = 1024 * 1024

/**
 * Reads a file of a skill. Throws `NOT_FOUND`, or `RESOURCE_REFUSED` for one that is too large or has changed since it
 * was loaded.
 */
export async function readResource(skill: AgentSkill, path: string): Promise<ResourceContent> {
  const bytes = await readFile(await checkedFile(skill, path, MAX_RESOURCE_BYTES))
  return isUtf8(bytes) ? { path, text: bytes.toString('utf8') } : { path, base64: bytes.toString('base64') }
}
