import { validateArtifact, validateMission } from '@minions/colony-contracts'
import { isRecord } from '@minions/core/json'
import { typeProblems } from '@minions/core/schema'
import { validateExecution, validateMessage, validateSkill, validateSubagent } from '@minions/skills-runtime'
import { bundleProblems } from './check-bundle.js'
import { type FindType, minionProblems, relationProblems } from './check-minions.js'
import { promptProblems } from './check-prompt.js'
import { workspaceProblems, workspacesProblems } from './check-workspaces.js'
import type { DocumentProblem } from './problem.js'

/** Inputs of checks besides the document. */
export interface Surroundings {
  readonly home: string
  /** Resolves to the types of the store, or the built-in ones. */
  types(): Promise<FindType>
}

interface Kind {
  /** Phrase that completes "is …" in a sentence. */
  readonly title: string
  /** True if an object looks like one, valid or not; kinds are tried in order and the first match wins. */
  matches(value: Record<string, unknown>): boolean
  check(value: unknown, surroundings: Surroundings): readonly DocumentProblem[] | Promise<readonly DocumentProblem[]>
}

const has =
  (...names: readonly string[]) =>
  (value: Record<string, unknown>) =>
    names.every((name) => name in value)

/** The kinds by the names that `--kind` takes. A bundle is given as its text, several artifacts as a list. */
export const KINDS = {
  bundle: {
    title: 'a bundle',
    matches: ({ format }) => format === 'minions-bundle',
    check: (text, { home }) => bundleProblems(String(text), home),
  },
  prompt: {
    title: 'a prompt document',
    matches: ({ format }) => format === 'minions-prompt',
    check: promptProblems,
  },
  artifact: {
    title: 'a mission artifact',
    matches: has('schema_name'),
    check: (value) => (Array.isArray(value) ? validateMission(value) : validateArtifact(value)).errors,
  },
  skill: { title: 'a skill', matches: has('parameters_schema'), check: (value) => validateSkill(value).errors },
  execution: {
    title: 'an execution',
    matches: has('execution_id'),
    check: (value) => validateExecution(value).errors,
  },
  message: { title: 'a message', matches: has('message_type'), check: (value) => validateMessage(value).errors },
  subagent: { title: 'a subagent', matches: has('agent_id'), check: (value) => validateSubagent(value).errors },
  relation: { title: 'a relation', matches: has('sourceId', 'targetId'), check: relationProblems },
  minion: {
    title: 'a minion',
    matches: has('minionTypeId'),
    check: async (value, { types }) => minionProblems(value, await types()),
  },
  type: { title: 'a minion type', matches: has('slug', 'schema'), check: typeProblems },
  workspace: { title: 'a workspace', matches: has('nodes', 'rules'), check: (value) => workspaceProblems(value) },
  workspaces: {
    title: 'a file of workspaces',
    matches: (value) => {
      const records = Object.values(value).filter(isRecord)
      return records.length > 0 && records.some((record) => 'nodes' in record || 'inherited_rules' in record)
    },
    check: workspacesProblems,
  },
} as const satisfies Record<string, Kind>

export type KindName = keyof typeof KINDS

export function kindOf(value: unknown): KindName | undefined {
  if (!isRecord(value)) return undefined
  return (Object.keys(KINDS) as KindName[]).find((name) => KINDS[name].matches(value))
}
