import { guarded } from '@minions/core/plugin'
import { skillsError } from '../../errors.js'
import type { SkillRecord } from '../definition/skill-schema.js'
import { AGENT_SKILL_LIMITS } from './standard.js'

/** A skill as the files of a folder that the Agent Skills standard accepts. */
export interface WrittenAgentSkill {
  /** Name of the folder, and of the skill in it. */
  readonly name: string
  /** Contents by path below the folder. */
  readonly files: ReadonlyMap<string, string>
  /** Paths of files that the record only names, because their content was not copied. */
  readonly missing: readonly string[]
}

/**
 * Converts the record of a skill to the Agent Skills standard. Attributes that the standard lacks go into `metadata`,
 * schemas into `references/`. Throws `VALIDATION_FAILED` when no letter or digit of the name can be used.
 */
export const writeAgentSkill = guarded('writeAgentSkill', (skill: SkillRecord): WrittenAgentSkill => {
  const name = standardName(skill.name)
  const files = new Map<string, string>()
  for (const [key, path] of [
    ['parameters_schema', 'references/parameters.json'],
    ['returns_schema', 'references/returns.json'],
  ] as const) {
    if (skill[key] !== undefined && skill.agent_skill === undefined) {
      files.set(path, `${JSON.stringify(skill[key], null, 2)}\n`)
    }
  }
  files.set('SKILL.md', `---\n${frontMatter(name, skill)}---\n\n${bodyOf(skill, [...files.keys()])}\n`)
  const missing = (skill.agent_skill?.files ?? []).map(({ path }) => path).filter((path) => path !== 'SKILL.md')
  return { name, files, missing }
})

function standardName(name: string): string {
  const written = Array.from(
    name
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-'),
  )
  const cut = written.slice(0, AGENT_SKILL_LIMITS.name).join('').replaceAll(/^-|-$/g, '')
  if (cut !== '') return cut
  const message = `"${name}" cannot be converted to a name of the Agent Skills standard; use letters or digits.`
  throw skillsError('VALIDATION_FAILED', message)
}

function frontMatter(name: string, skill: SkillRecord): string {
  const { version, tags = [], dependencies = [], agent_skill: source } = skill
  const description = skill.description?.trim() || `The skill ${skill.name}.`
  const metadata: Record<string, string> = {
    ...source?.metadata,
    ...(source?.metadata.version === undefined && { version }),
    ...(tags.length > 0 && { tags: tags.join(', ') }),
    ...(dependencies.length > 0 && { dependencies: dependencies.join(', ') }),
  }
  const lines = [
    `name: ${quote(name)}`,
    `description: ${quote(Array.from(description).slice(0, AGENT_SKILL_LIMITS.description).join(''))}`,
    ...(source?.license === undefined ? [] : [`license: ${quote(source.license)}`]),
    ...(source?.compatibility === undefined ? [] : [`compatibility: ${quote(source.compatibility)}`]),
    ...(source?.allowed_tools === undefined ? [] : [`allowed-tools: ${quote(source.allowed_tools.join(' '))}`]),
    'metadata:',
    ...Object.entries(metadata).map(([key, value]) => `  ${quote(key)}: ${quote(value)}`),
  ]
  return `${lines.join('\n')}\n`
}

function bodyOf({ name, instructions }: SkillRecord, references: readonly string[]): string {
  const pointers = references.map((path) => `- [${path}](${path})`)
  const list = pointers.length === 0 ? '' : `\n\nParameters and result, as JSON Schema:\n\n${pointers.join('\n')}`
  return instructions ?? `# ${name}${list}`
}

/** A quoted text of YAML. Three dashes anywhere would end the front matter. */
function quote(text: string): string {
  return JSON.stringify(text.toWellFormed())
    .replaceAll('---', '-\\x2d-')
    .replaceAll(/[\x7f-\x9f\ufeff\ufffe\uffff]/g, (character) => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
    })
}
