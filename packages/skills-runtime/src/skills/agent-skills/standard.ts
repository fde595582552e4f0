import type { Issue } from '@minions/core/schema'
import { attributeIssue, brokenOf, quoted } from '../../validation.js'

/** The limits that the Agent Skills standard sets, in characters. */
export const AGENT_SKILL_LIMITS = { name: 64, description: 1024, compatibility: 500 } as const

const ATTRIBUTES = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']

/** The name as the standard compares it: without white space around it, in compatibility composition. */
export function normalizedName(name: string): string {
  return strip(name).normalize('NFKC')
}

/** Checks the attributes of a `SKILL.md` in a folder of the given name against every rule of the Agent Skills standard. */
export function agentSkillIssues(attributes: Readonly<Record<string, unknown>>, folderName: string): readonly Issue[] {
  const notStandard = `is not an attribute of the standard, which has ${ATTRIBUTES.join(', ')}; move it below "metadata"`
  const unknown = Object.keys(attributes).filter((key) => !ATTRIBUTES.includes(key))
  return [
    ...unknown.map((key) => attributeIssue(key, 'UNKNOWN_ATTRIBUTE', notStandard)),
    ...nameIssues(attributes, folderName),
    ...textIssues(attributes, 'description', AGENT_SKILL_LIMITS.description),
    ...compatibilityIssues(attributes),
    ...toolsIssues(attributes),
  ]
}

function nameIssues(attributes: Readonly<Record<string, unknown>>, folderName: string): Issue[] {
  const [missing] = textIssues(attributes, 'name', Number.POSITIVE_INFINITY)
  if (missing) return [missing]
  const name = normalizedName(attributes.name as string)
  const broken = (code: string, message: string) => attributeIssue('name', code, message, name)
  const limit = AGENT_SKILL_LIMITS.name
  return brokenOf(
    lengthOf(name) > limit && broken('TOO_LONG', `must have at most ${limit} characters`),
    name !== name.toLowerCase() && broken('NOT_LOWERCASE', 'must be lower case'),
    /^-|-$/.test(name) && broken('HYPHEN_AT_END', 'must neither begin nor end with a hyphen'),
    name.includes('--') && broken('HYPHENS', 'must not have two hyphens in a row'),
    !/^[\p{L}\p{N}-]*$/u.test(name) && broken('CHARACTERS', 'must consist of letters, digits and hyphens'),
    folderName.normalize('NFKC') !== name &&
      broken('FOLDER_NAME', `must be that of the folder, ${quoted(folderName, 'which differs')}`),
  )
}

function textIssues(attributes: Readonly<Record<string, unknown>>, field: string, limit: number): Issue[] {
  if (!Object.hasOwn(attributes, field)) return [attributeIssue(field, 'REQUIRED', 'is required')]
  const value = attributes[field]
  if (typeof value !== 'string' || strip(value) === '') {
    return [attributeIssue(field, 'EMPTY', 'must be a non-empty string')]
  }
  return lengthIssues(field, value, limit)
}

function compatibilityIssues({ compatibility }: Readonly<Record<string, unknown>>): Issue[] {
  if (compatibility === undefined) return []
  if (typeof compatibility === 'string') {
    return lengthIssues('compatibility', compatibility, AGENT_SKILL_LIMITS.compatibility)
  }
  return [attributeIssue('compatibility', 'TYPE', 'must be a string')]
}

function lengthIssues(field: string, text: string, limit: number): Issue[] {
  if (lengthOf(text) <= limit) return []
  return [attributeIssue(field, 'TOO_LONG', `must have at most ${limit} characters`)]
}

function toolsIssues({ 'allowed-tools': tools }: Readonly<Record<string, unknown>>): Issue[] {
  const isList = Array.isArray(tools) && tools.every((tool) => typeof tool === 'string')
  if (tools === undefined || typeof tools === 'string' || isList) return []
  return [attributeIssue('allowed-tools', 'TYPE', 'must be a string or a list of strings')]
}

/** The standard counts characters, not UTF-16 units. */
function lengthOf(text: string): number {
  return Array.from(text).length
}

// White space as the standard's own validator strips it: it includes record separators, but no byte order mark.
const SPACE = '[\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+'
const AROUND = new RegExp(`^${SPACE}|${SPACE}$`, 'gu')

function strip(text: string): string {
  return text.replaceAll(AROUND, '')
}
