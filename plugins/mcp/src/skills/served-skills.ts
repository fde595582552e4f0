import { operationRef } from '@minions/core/operations'
import type { RegisteredSkill, SkillRegistry } from '@minions/skills-runtime'
import { ProtocolError, ProtocolErrorCode, type Resource } from '@modelcontextprotocol/server'
import { DIRECTORY_MIME_TYPE, type Skill } from '@modelcontextprotocol/server/ext/skills'
import { Type } from 'typebox'
import type { ResourceProvider } from '../door/features.js'
import type { McpCall } from '../door/mcp-call.js'
import { ListedSkill, SKILL_FILE } from './skill-document.js'
import { documentedSkill, folderSkill, type ServedSkill } from './skill-folder.js'

const BASE = 'skill://'

const listSkills = operationRef('skills.list', Type.Array(ListedSkill))

/** The skills of an app, as the skills extension describes them. */
export class ServedSkills {
  readonly #registry: SkillRegistry | undefined
  /** Cache of the entries of registered skills, which never change and take reading all their files. */
  readonly #served = new WeakMap<RegisteredSkill, Promise<ServedSkill | undefined>>()

  constructor(registry: SkillRegistry | undefined) {
    this.#registry = registry
  }

  /** All skills; those that the standard cannot express are skipped. */
  async list(call: McpCall): Promise<ServedSkill[]> {
    if (!call.may(listSkills.name)) return []
    const listed = await call.run(listSkills, {})
    const served = await Promise.all(listed.map((skill) => this.#serve(skill)))
    return served.flatMap((skill) => skill ?? []).sort((a, b) => (a.entry.uri < b.entry.uri ? -1 : 1))
  }

  /** The skill whose `SKILL.md` is at a URI. Throws an error of the protocol if there is none. */
  async get(uri: string, call: McpCall): Promise<Skill> {
    const found = (await this.list(call)).find(({ entry }) => entry.uri === uri)
    if (found) return found.entry
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no skill at ${uri.slice(0, 200)}`)
  }

  /** Children of a folder of skills. Throws an error of the protocol for what is not a folder. */
  async folder(uri: string, call: McpCall): Promise<Resource[]> {
    const folder = uri === BASE ? BASE : `${uri.replace(/\/+$/, '')}/`
    const children = new Map<string, Resource>()
    for (const { resource } of (await this.list(call)).flatMap(filesOf)) {
      if (!resource.uri.startsWith(folder)) continue
      const [name = '', ...deeper] = resource.uri.slice(folder.length).split('/')
      const child = deeper.length === 0 ? resource : { uri: folder + name, name, mimeType: DIRECTORY_MIME_TYPE }
      children.set(child.uri, child)
    }
    if (children.size > 0 || uri === BASE) return [...children.values()]
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no folder of skills at ${uri.slice(0, 200)}`)
  }

  get resources(): ResourceProvider {
    return {
      list: async (call) => ({ items: (await this.list(call)).flatMap(filesOf).map(({ resource }) => resource) }),
      templates: (call) =>
        call.may(listSkills.name)
          ? [{ uriTemplate: `${BASE}{skill}/{+path}`, name: 'Skill', description: 'A file of a skill.' }]
          : [],
      read: async (uri, call) => {
        if (!uri.startsWith(BASE)) return undefined
        const found = (await this.list(call)).flatMap(filesOf).find(({ resource }) => resource.uri === uri)
        if (!found) return undefined
        const content = await found.skill.read(found.path)
        const body = typeof content === 'string' ? { text: content } : { blob: Buffer.from(content).toString('base64') }
        return { contents: [{ uri, ...mimeTypeOf(found.path), ...body }] }
      },
    }
  }

  #serve(skill: ListedSkill): Promise<ServedSkill | undefined> {
    const { name, version } = skill
    const documented = () => documentedSkill(skill).catch(() => undefined)
    const registered = this.#registry?.hasSkill(name, version) ? this.#registry.getSkill(name, version) : undefined
    const readFile = registered?.readFile
    if (!registered || !readFile) return documented()
    const known = this.#served.get(registered)
    if (known) return known
    // A folder that cannot be served in full is served from its record.
    const served = folderSkill(registered, readFile).catch(documented)
    this.#served.set(registered, served)
    return served
  }
}

interface ServedFile {
  readonly skill: ServedSkill
  readonly path: string
  readonly resource: Resource
}

/** The files of a skill; its `SKILL.md` has the name and the description of the skill. */
function filesOf(skill: ServedSkill): ServedFile[] {
  const { entry, paths } = skill
  const folder = entry.uri.slice(0, -SKILL_FILE.length)
  const { name, description } = entry.frontmatter
  return paths.map((path) => ({
    skill,
    path,
    resource: {
      uri: folder + path.split('/').map(encodeURIComponent).join('/'),
      ...(path === SKILL_FILE ? { name, description } : { name: path }),
      ...mimeTypeOf(path),
    },
  }))
}

/** Media types by file extension; others have none. */
const MIME_TYPES = new Map([
  ['json', 'application/json'],
  ['md', 'text/markdown'],
  ['txt', 'text/plain'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['svg', 'image/svg+xml'],
  ['pdf', 'application/pdf'],
])

function mimeTypeOf(path: string): { readonly mimeType?: string } {
  const mimeType = MIME_TYPES.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase())
  return mimeType === undefined ? {} : { mimeType }
}
