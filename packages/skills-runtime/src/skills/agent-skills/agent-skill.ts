import { readFile, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isRecord } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import { type Issue, issueAt } from '@minions/core/schema'
import { valid } from 'semver'
import { type FrontMatter, parseFrontMatter } from './front-matter.js'
import { digestOfFiles, listSkillFiles, type SkillResource } from './skill-files.js'
import { agentSkillIssues, normalizedName } from './standard.js'

/** A skill of the Agent Skills standard: a folder with a `SKILL.md` and other files. */
export interface AgentSkill {
  readonly name: string
  readonly description: string
  readonly license?: string
  readonly compatibility?: string
  readonly metadata: Readonly<Record<string, string>>
  /** Names of tools that the skill allows; undefined if it does not list any. */
  readonly allowedTools?: readonly string[]
  /** From `metadata.version` if valid, otherwise derived from the digest. */
  readonly version: string
  /** The text below the front matter. */
  readonly instructions: string
  /** Real path of the folder. */
  readonly folder: string
  readonly files: readonly SkillResource[]
  /** Digest of all files. */
  readonly digest: string
}

const DIGEST_VERSION = '0.0.0-sha256-'

/** True if a version was derived from the digest of a skill that declares none. */
export function isDigestVersion(version: string): boolean {
  return version.startsWith(DIGEST_VERSION)
}

/**
 * Reads a skill of the Agent Skills standard. If it breaks rules, returns those instead. Throws if the folder cannot or
 * must not be read, for example because links lead out of it.
 */
export const readAgentSkill = guarded('readAgentSkill', readAgentSkillUnchecked)

async function readAgentSkillUnchecked(folder: string): Promise<AgentSkill | readonly Issue[]> {
  const real = await realpath(folder)
  const files = await listSkillFiles(real)
  const file = ['SKILL.md', 'skill.md'].find((name) => files.some(({ path }) => path === name))
  if (file === undefined) return [issueAt('', 'FILE_MISSING', 'is missing')]
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(join(real, file)))
  const read = parseFrontMatter(text)
  if (!('attributes' in read)) return [read]
  const issues = agentSkillIssues(read.attributes, basename(folder))
  return issues.length > 0 ? issues : toAgentSkill(read, real, files)
}

/** Distinguishes a skill from broken rules. */
export const isAgentSkill = guarded('isAgentSkill', (read: AgentSkill | readonly Issue[]): read is AgentSkill => {
  return !Array.isArray(read)
})

function toAgentSkill({ attributes, body }: FrontMatter, folder: string, files: readonly SkillResource[]): AgentSkill {
  const digest = digestOfFiles(files)
  const metadata = metadataOf(attributes.metadata)
  const { license, compatibility, 'allowed-tools': tools } = attributes
  const allowedTools = typeof tools === 'string' ? toolNames(tools) : (tools as string[] | undefined)
  return {
    name: normalizedName(attributes.name as string),
    description: (attributes.description as string).trim(),
    ...(typeof license === 'string' && license !== '' && { license }),
    ...(typeof compatibility === 'string' && compatibility !== '' && { compatibility }),
    metadata,
    ...(allowedTools !== undefined && { allowedTools }),
    version: declaredVersion(metadata.version) ?? `${DIGEST_VERSION}${digest.slice(0, 16)}`,
    instructions: body,
    folder,
    files,
    digest,
  }
}

/** Names of tools between spaces or commas; those in parentheses belong to a name: `Bash(git add:*)`. */
function toolNames(text: string): string[] {
  return text.match(/[^\s,(]+(?:\([^)]*\)?)?|\([^)]*\)?/g) ?? []
}

/** Values are strings; nested values are written as JSON. */
function metadataOf(metadata: unknown): Record<string, string> {
  const entries = isRecord(metadata) ? Object.entries(metadata) : []
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

/** `1`, `1.2`, `v1.2.3` and `1.2.3` are versions; anything else is not. */
function declaredVersion(text: string | undefined): string | undefined {
  const numbers = /^v?(\d+(?:\.\d+){0,2})$/.exec(text?.trim() ?? '')?.[1]?.split('.')
  return numbers ? (valid([...numbers, '0', '0'].slice(0, 3).join('.')) ?? undefined) : undefined
}
