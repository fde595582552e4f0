import { extname, posix } from 'node:path'
import { completeSkill } from '../definition/complete-skill.js'
import type { CompleteSkill } from '../definition/skill.js'
import type { AgentSkill } from './agent-skill.js'
import { readResource } from './read-resource.js'
import { runScript, type ScriptInput } from './run-script.js'

const RESOURCE = {
  type: 'object',
  properties: {
    resource: { type: 'string', description: 'A file of the skill to read instead of its instructions.' },
  },
  additionalProperties: false,
} as const

const SCRIPT = {
  type: 'object',
  properties: {
    args: { type: 'array', items: { type: 'string' }, maxItems: 1000, description: 'Arguments, one text each.' },
    stdin: { type: 'string', description: 'Text for the standard input.' },
  },
  additionalProperties: false,
} as const

const SCRIPT_RESULT = {
  type: 'object',
  properties: { exit_code: { type: 'integer' }, stdout: { type: 'string' }, stderr: { type: 'string' } },
  required: ['exit_code', 'stdout', 'stderr'],
} as const

/**
 * The skills of an Agent Skills folder. Running the first returns its instructions and the list of its files, or one of
 * those files; each file in `scripts/` is a separate skill that runs it.
 */
export function agentSkillAsSkills(skill: AgentSkill): CompleteSkill[] {
  const paths = skill.files.map(({ path }) => path)
  const resources = paths.filter((path) => path.toLowerCase() !== 'skill.md')
  const scripts = scriptNames(
    skill.name,
    paths.filter((path) => posix.dirname(path) === 'scripts'),
  )
  const { name, version, description, instructions } = skill
  const readFile = (path: string) => readResource(skill, path)
  const main = completeSkill<{ readonly resource?: string }>({
    name,
    version,
    description,
    parameters_schema: RESOURCE,
    instructions,
    agent_skill: sourceOf(skill),
    readFile,
    execute: ({ resource }) =>
      resource === undefined ? { instructions, resources, scripts: [...scripts.keys()] } : readFile(resource),
  })
  return [main, ...[...scripts].map(([script, path]) => scriptSkill(skill, script, path))] as CompleteSkill[]
}

function scriptSkill(skill: AgentSkill, script: string, path: string): CompleteSkill {
  const { name, version } = skill
  return completeSkill<ScriptInput>({
    name: script,
    version,
    description: `Runs ${path} of the skill ${name}.`,
    parameters_schema: SCRIPT,
    returns_schema: SCRIPT_RESULT,
    agent_skill: { ...sourceOf(skill), script: path },
    execute: (input, { signal }) => runScript(skill, path, input, signal),
  }) as CompleteSkill
}

/**
 * Paths of scripts by the names of their skills: `extract_text.py` of `pdf` is `pdf--extract-text`. No name of the standard
 * has two hyphens in a row, so no other skill has such a name. Scripts that differ only in their extension keep it.
 */
function scriptNames(skill: string, paths: readonly string[]): Map<string, string> {
  const stems = paths.map((path) => hyphened(posix.basename(path, extname(path))))
  const names = new Map<string, string>()
  for (const [index, path] of paths.entries()) {
    const stem = stems[index] || 'script'
    const isAlone = stems.indexOf(stem) === stems.lastIndexOf(stem)
    const name = `${skill}--${isAlone ? stem : hyphened(posix.basename(path))}`
    let free = name
    for (let next = 2; names.has(free); next++) free = `${name}-${next}`
    names.set(free, path)
  }
  return names
}

function hyphened(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
}

function sourceOf({ digest, license, compatibility, metadata, allowedTools, files }: AgentSkill) {
  return {
    digest,
    metadata,
    files: files.map(({ path, size }) => ({ path, size })),
    ...(license !== undefined && { license }),
    ...(compatibility !== undefined && { compatibility }),
    ...(allowedTools !== undefined && { allowed_tools: [...allowedTools] }),
  }
}
