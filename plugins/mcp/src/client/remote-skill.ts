import { canonicalJson, type JsonValue } from '@minions/core/json'
import type { Skill } from '@modelcontextprotocol/client/ext/skills'
import { described, type OfferParts } from './described.js'
import type { Offer } from './offered-skills.js'

const PARAMETERS = {
  type: 'object',
  properties: {
    resource: { type: 'string', minLength: 1, description: 'A file of the skill to read instead of its instructions.' },
  },
  additionalProperties: false,
} as const

/**
 * A skill of another server, by the skills extension. Nothing is read before it runs: then it returns its instructions
 * and the list of its files, or one of those files, each verified against what the server announced.
 */
export function remoteSkillOffer(entry: Skill, parts: OfferParts): Offer {
  const { name, description } = entry.frontmatter
  return {
    kind: 'skill',
    key: entry.uri,
    name,
    signature: canonicalJson(entry as JsonValue),
    attributes: { ...described(`Skill "${name}"`, description, parts), parameters_schema: PARAMETERS },
    async run({ resource }, signal) {
      const path = typeof resource === 'string' ? resource : undefined
      const { text, bytes, body } = await parts.connection.readSkill(entry, path, signal)
      if (path === undefined) return { instructions: body ?? text ?? '', resources: pathsOf(entry) }
      return text === undefined ? { path, base64: Buffer.from(bytes).toString('base64') } : { path, text }
    },
  }
}

/** Files of a skill besides its `SKILL.md`, relative to its folder; none if the server makes them on demand. */
function pathsOf({ uri, resources }: Skill): string[] {
  if (resources === 'dynamic') return []
  const folder = uri.slice(0, uri.lastIndexOf('/') + 1)
  const others = resources.filter((file) => file.uri !== uri)
  return others.map((file) => (file.uri.startsWith(folder) ? file.uri.slice(folder.length) : file.uri))
}
