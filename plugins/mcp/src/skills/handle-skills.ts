import { fromJsonSchema } from '@modelcontextprotocol/server'
import {
  RESOURCES_DIRECTORY_READ_METHOD,
  SKILLS_GET_METHOD,
  SKILLS_LIST_METHOD,
} from '@modelcontextprotocol/server/ext/skills'
import type { DoorServer } from '../door/door-server.js'
import type { CallOf, McpCall } from '../door/mcp-call.js'
import type { ServedSkills } from './served-skills.js'

const Nothing = fromJsonSchema<object>({ type: 'object' })

const Named = fromJsonSchema<{ uri: string }>({
  type: 'object',
  properties: { uri: { type: 'string', maxLength: 4096 } },
  required: ['uri'],
})

/** Serves the methods of the skills extension. All skills are on one page, since `skills.list` has no more. */
export function handleSkills(server: DoorServer, callOf: CallOf, skills: ServedSkills): void {
  const cache = (call: McpCall) => (call.isModern ? { ttlMs: 0, cacheScope: 'private' } : {})
  server.setRequestHandler(SKILLS_LIST_METHOD, { params: Nothing }, async (_, request) => {
    const call = callOf(request)
    return { skills: (await skills.list(call)).map(({ entry }) => entry), ...cache(call) }
  })
  server.setRequestHandler(SKILLS_GET_METHOD, { params: Named }, async ({ uri }, request) => {
    const call = callOf(request)
    return { skill: await skills.get(uri, call), ...cache(call) }
  })
  server.setRequestHandler(RESOURCES_DIRECTORY_READ_METHOD, { params: Named }, async ({ uri }, request) => {
    const call = callOf(request)
    return { resources: await skills.folder(uri, call), ...cache(call) }
  })
}
