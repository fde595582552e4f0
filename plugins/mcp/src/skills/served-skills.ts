import { operationRef } from '@minions/core/operations'
import { ProtocolError, ProtocolErrorCode, type Resource } from '@modelcontextprotocol/server'
import { DIRECTORY_MIME_TYPE, type Skill, skillEntry } from '@modelcontextprotocol/server/ext/skills'
import { Type } from 'typebox'
import type { ResourceProvider } from '../door/features.js'
import type { McpCall } from '../door/mcp-call.js'
import { clientName, ListedSkill, SKILL_FILE, skillFiles } from './skill-document.js'

const BASE = 'skill://'

const listSkills = operationRef('skills.list', Type.Array(ListedSkill))

/** A skill as clients get it: its entry, and its files by path. */
interface ServedSkill {
  readonly entry: Skill
  readonly files: Readonly<Record<string, string>>
}

/** All skills, as the skills extension describes them; one that the standard cannot express is left out. */
export async function servedSkills(call: McpCall): Promise<ServedSkill[]> {
  if (!call.may(listSkills.name)) return []
  const listed = await call.run(listSkills, {})
  const served = await Promise.all(listed.map(serve))
  return served.flatMap((skill) => (skill ? [skill] : [])).sort((a, b) => (a.entry.uri < b.entry.uri ? -1 : 1))
}

async function serve(skill: ListedSkill): Promise<ServedSkill | undefined> {
  const files = skillFiles(skill)
  try {
    return { entry: await skillEntry(clientName(skill.name), files), files }
  } catch {
    return undefined
  }
}

/** The skill whose `SKILL.md` is at a URI. Throws an error of the protocol if there is none. */
export async function servedSkill(uri: string, call: McpCall): Promise<Skill> {
  const found = (await servedSkills(call)).find(({ entry }) => entry.uri === uri)
  if (found) return found.entry
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no skill at ${uri.slice(0, 200)}`)
}

/** Children of a folder of skills. Throws an error of the protocol for what is not a folder. */
export async function skillFolder(uri: string, call: McpCall): Promise<Resource[]> {
  const folder = uri === BASE ? BASE : `${uri.replace(/\/+$/, '')}/`
  const children = new Map<string, Resource>()
  for (const file of (await servedSkills(call)).flatMap(filesOf)) {
    if (!file.uri.startsWith(folder)) continue
    const [name = '', ...deeper] = file.uri.slice(folder.length).split('/')
    const child = deeper.length === 0 ? file : { uri: folder + name, name, mimeType: DIRECTORY_MIME_TYPE }
    children.set(child.uri, child)
  }
  if (children.size > 0 || uri === BASE) return [...children.values()]
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no folder of skills at ${uri.slice(0, 200)}`)
}

/** The files of a skill as resources; its `SKILL.md` has the name and the description of the skill. */
function filesOf({ entry, files }: ServedSkill): Resource[] {
  const folder = entry.uri.slice(0, -SKILL_FILE.length)
  const { name, description } = entry.frontmatter
  return Object.keys(files).map((path) => ({
    uri: folder + path,
    ...(path === SKILL_FILE ? { name, description } : { name: path }),
    mimeType: path.endsWith('.json') ? 'application/json' : 'text/markdown',
  }))
}

/** The files of skills as resources. */
export const skillResources: ResourceProvider = {
  list: async (call) => ({ items: (await servedSkills(call)).flatMap(filesOf) }),
  templates: (call) =>
    call.may(listSkills.name)
      ? [{ uriTemplate: `${BASE}{skill}/{+path}`, name: 'Skill', description: 'A file of a skill.' }]
      : [],
  async read(uri, call) {
    if (!uri.startsWith(BASE)) return undefined
    for (const skill of await servedSkills(call)) {
      const file = filesOf(skill).find((each) => each.uri === uri)
      const text = file && skill.files[uri.slice(skill.entry.uri.length - SKILL_FILE.length)]
      if (text !== undefined) return { contents: [{ uri, mimeType: file?.mimeType, text }] }
    }
    return undefined
  },
}
