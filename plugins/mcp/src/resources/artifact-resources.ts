import { operationRef, pageOf } from '@minions/core/operations'
import { Type } from 'typebox'
import type { ResourceProvider } from '../door/features.js'
import type { McpCall } from '../door/mcp-call.js'
import { jsonContents } from './json-contents.js'
import { parseResourceUri, resourceUri } from './resource-uri.js'

const listArtifacts = operationRef('artifacts.list', pageOf(Type.Record(Type.String(), Type.Unknown())))

const ARTIFACTS = 'artifacts'

const TEMPLATE = `minions://${ARTIFACTS}/{mission}/{kind}/{id}`

/** Artifacts of missions as resources, for callers with a tenant: artifacts are only ever read within one. */
export const artifactResources: ResourceProvider = {
  async list(call, cursor) {
    if (!isThere(call)) return { items: [] }
    const page = await call.run(listArtifacts, { limit: 100, ...(cursor !== undefined && { cursor }) })
    const items = page.items.map((artifact) => {
      const [mission, kind, id] = [String(artifact.mission_id), String(artifact.schema_name), idOf(artifact)]
      return {
        uri: resourceUri(ARTIFACTS, mission, kind, id),
        name: `${kind} ${id}`,
        description: `Artifact of the mission ${mission}.`,
        mimeType: 'application/json',
      }
    })
    return { items, nextCursor: page.nextCursor }
  },
  templates: (call) =>
    isThere(call)
      ? [
          {
            uriTemplate: TEMPLATE,
            name: 'Artifact',
            description: 'An artifact of a mission.',
            mimeType: 'application/json',
          },
        ]
      : [],
  async read(uri, call) {
    const { area, parts: [mission, kind, id, ...more] = [] } = parseResourceUri(uri) ?? {}
    if (area !== ARTIFACTS || mission === undefined || kind === undefined || more.length > 0) return undefined
    const own = id === undefined || id === mission ? {} : { id }
    return jsonContents(uri, await call.run('artifacts.get', { mission, kind, ...own }))
  },
}

function isThere(call: McpCall): boolean {
  return call.caller.tenant !== undefined && call.may(listArtifacts.name)
}

/** Properties that hold the own id of an artifact; which one depends on its kind. */
const OWN_IDS = ['package_id', 'artifact_id', 'pass_id', 'result_id', 'packet_id', 'decision_id', 'proposal_id']

/** An envelope and a task graph have no id besides that of their mission. */
function idOf(artifact: Readonly<Record<string, unknown>>): string {
  const name = OWN_IDS.find((each) => typeof artifact[each] === 'string') ?? 'mission_id'
  return String(artifact[name])
}
