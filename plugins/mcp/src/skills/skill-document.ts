import { type Static, Type } from 'typebox'

/** A skill as `skills.list` gives it. */
export const ListedSkill = Type.Object({
  name: Type.String(),
  version: Type.String(),
  description: Type.Optional(Type.String()),
  instructions: Type.Optional(Type.String()),
  parameters_schema: Type.Record(Type.String(), Type.Unknown()),
})
export type ListedSkill = Static<typeof ListedSkill>

/** Name of a skill as clients know it: the standard has no capitals. */
export function clientName(skill: string): string {
  return skill.toLowerCase()
}

export const SKILL_FILE = 'SKILL.md'

const PARAMETERS_FILE = 'references/parameters.json'

/** The files of a skill that is not a folder, by path: `SKILL.md`, and the schema of its parameters beside it. */
export function skillDocuments(skill: ListedSkill): Record<string, string> {
  return { [SKILL_FILE]: document(skill), [PARAMETERS_FILE]: JSON.stringify(skill.parameters_schema, null, 2) }
}

/** A skill without instructions explains how to run it. */
function document({ name, version, description = name, instructions }: ListedSkill): string {
  const body =
    instructions ??
    `${description}\n\nRun it with the operation \`skills.run\`, whose \`skill\` is ${JSON.stringify(name)}; [its parameters](${PARAMETERS_FILE}).`
  const head = ['---', `name: ${clientName(name)}`, `description: ${JSON.stringify(description)}`, 'metadata:']
  return [...head, `  version: ${JSON.stringify(version)}`, '---', '', body, ''].join('\n')
}
