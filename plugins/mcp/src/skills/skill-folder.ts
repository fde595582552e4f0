import type { RegisteredSkill } from '@minions/skills-runtime'
import { type Skill, skillEntry } from '@modelcontextprotocol/server/ext/skills'
import { clientName, type ListedSkill, SKILL_FILE, skillDocuments } from './skill-document.js'

type Content = string | Uint8Array

/** A skill as clients get it: its entry, the paths of its files, and their content when it is asked for. */
export interface ServedSkill {
  readonly entry: Skill
  readonly paths: readonly string[]
  readonly read: (path: string) => Promise<Content>
}

type FileReader = NonNullable<RegisteredSkill['readFile']>

/**
 * A skill that was loaded from a folder of the Agent Skills standard, with all its files. Rejects if the folder has
 * changed since it was loaded, or contains what the skills extension cannot express.
 */
export async function folderSkill(skill: RegisteredSkill, readFile: FileReader): Promise<ServedSkill> {
  const paths = new Map((skill.agent_skill?.files ?? []).map(({ path }) => [servedPath(path), path]))
  const read = async (path: string) => contentOf(await readFile(paths.get(path) ?? path))
  const files: Record<string, Content> = {}
  for (const path of paths.keys()) files[path] = await read(path)
  return { entry: await skillEntry(clientName(skill.name), files), paths: [...paths.keys()], read }
}

/** A skill that is not a folder, with documents made of its record. */
export async function documentedSkill(skill: ListedSkill): Promise<ServedSkill> {
  const files = skillDocuments(skill)
  const entry = await skillEntry(clientName(skill.name), files)
  return { entry, paths: Object.keys(files), read: async (path) => files[path] ?? '' }
}

/** The standard also takes `skill.md`, clients look for `SKILL.md`. */
function servedPath(path: string): string {
  return path.toLowerCase() === SKILL_FILE.toLowerCase() ? SKILL_FILE : path
}

function contentOf(content: Awaited<ReturnType<FileReader>>): Content {
  return 'text' in content ? content.text : Buffer.from(content.base64, 'base64')
}
