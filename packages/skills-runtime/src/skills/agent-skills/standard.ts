import { attributeIssue, quoted, type ValidationIssue } from '../../validation.js'

/** The limits that the Agent Skills standard sets, in characters. */
export const AGENT_SKILL_LIMITS = { name: 64, description: 1024, compatibility: 500 } as const

const ATTRIBUTES = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools']

/** The name as the standard compares it: without white space around it, in compatibility composition. */
export function normalizedName(name: string): string {
  return strip(name).normalize('NFKC')
}

/** Checks the attributes of a `SKILL.md` in a folder of the given name against every rule of the Agent Skills standard. */
export function agentSkillIssues(
  attributes: Readonly<Record<string, unknown>>,
  folderName: string,
): readonly ValidationIssue[] {
  const unknown = Object.keys(attributes).filter((key) => !ATTRIBUTES.includes(key))
  return [
    ...unknown.map((key) =>
      attributeIssue(
        key,
        'UNKNOWN_ATTRIBUTE',
        `${quoted(key, 'An attribute')} is not an attribute of the standard, which has ${ATTRIBUTES.join(', ')}; move it below "metadata".`,
      ),
    ),
    ...nameIssues(attributes, folderName),
    ...textIssues(attributes, 'description', AGENT_SKILL_LIMITS.description),
    ...compatibilityIssues(attributes),
    ...toolsIssues(attributes),
  ]
}

function nameIssues(attributes: Readonly<Record<string, unknown>>, folderName: string): ValidationIssue[] {
  const [missing] = textIssues(attributes, 'name', Number.POSITIVE_INFINITY)
  if (missing) return [missing]
  const name = normalizedName(attributes.name as string)
  const broken = (code: string, message: string) => attributeIssue('name', code, message, name)
  const issues: ValidationIssue[] = []
  if (lengthOf(name) > AGENT_SKILL_LIMITS.name) {
    issues.push(broken('TOO_LONG', `"name" must have at most ${AGENT_SKILL_LIMITS.name} characters.`))
  }
  if (name !== name.toLowerCase()) issues.push(broken('NOT_LOWERCASE', '"name" must be lower case.'))
  if (/^-|-$/.test(name)) issues.push(broken('HYPHEN_AT_END', '"name" must neither begin nor end with a hyphen.'))
  if (name.includes('--')) issues.push(broken('HYPHENS', '"name" must not have two hyphens in a row.'))
  if (!/^[\p{L}\p{N}-]*$/u.test(name)) {
    issues.push(broken('CHARACTERS', '"name" must consist of letters, digits and hyphens.'))
  }
  if (folderName.normalize('NFKC') !== name) {
    issues.push(broken('FOLDER_NAME', `"name" must be that of the folder, ${quoted(folderName, 'which differs')}.`))
  }
  return issues
}

function textIssues(attributes: Readonly<Record<string, unknown>>, field: string, limit: number): ValidationIssue[] {
  if (!Object.hasOwn(attributes, field)) return [attributeIssue(field, 'REQUIRED', `"${field}" is required.`)]
  const value = attributes[field]
  if (typeof value !== 'string' || strip(value) === '') {
    return [attributeIssue(field, 'EMPTY', `"${field}" must be a non-empty string.`)]
  }
  if (lengthOf(value) <= limit) return []
  return [attributeIssue(field, 'TOO_LONG', `"${field}" must have at most ${limit} characters.`)]
}

function compatibilityIssues({ compatibility }: Readonly<Record<string, unknown>>): ValidationIssue[] {
  if (compatibility === undefined) return []
  if (typeof compatibility !== 'string') {
    return [attributeIssue('compatibility', 'TYPE', '"compatibility" must be a string.')]
  }
  const limit = AGENT_SKILL_LIMITS.compatibility
  if (lengthOf(compatibility) <= limit) return []
  return [attributeIssue('compatibility', 'TOO_LONG', `"compatibility" must have at most ${limit} characters.`)]
}

function toolsIssues({ 'allowed-tools': tools }: Readonly<Record<string, unknown>>): ValidationIssue[] {
  const isList = Array.isArray(tools) && tools.every((tool) => typeof tool === 'string')
  if (tools === undefined || typeof tools === 'string' || isList) return []
  return [attributeIssue('allowed-tools', 'TYPE', '"allowed-tools" must be a string or a list of strings.')]
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
