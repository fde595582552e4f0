import type { Minions } from '@minions/core'
import type { Caller, Runs } from '@minions/server/plugin'
import { createRequestStateCodec, type McpRequestContext, type ServerCapabilities } from '@modelcontextprotocol/server'
import { SKILLS_EXTENSION_ID } from '@modelcontextprotocol/server/ext/skills'
import manifest from '../../package.json' with { type: 'json' }
import { handlePrompts } from '../prompts/handle-prompts.js'
import { publishedPrompts } from '../prompts/published-prompts.js'
import { artifactResources } from '../resources/artifact-resources.js'
import { handleResources } from '../resources/handle-resources.js'
import { handleSubscriptions } from '../resources/handle-subscriptions.js'
import { minionResources } from '../resources/minion-resources.js'
import { workspaceResources } from '../resources/workspace-resources.js'
import { handleSkills } from '../skills/handle-skills.js'
import { ServedSkills } from '../skills/served-skills.js'
import { handleTasks } from '../tasks/handle-tasks.js'
import type { MissionTasks } from '../tasks/mission-tasks.js'
import { runTasks } from '../tasks/run-tasks.js'
import { TASKS_EXTENSION } from '../tasks/task.js'
import { TaskWire } from '../tasks/task-wire.js'
import { handleTools } from '../tools/handle-tools.js'
import { operationTools } from '../tools/operation-tools.js'
import { toolRunner } from '../tools/run-tool.js'
import { DoorServer } from './door-server.js'
import type { McpFeatures } from './features.js'
import { handleCompletion } from './handle-completion.js'
import { type CallOf, createCall } from './mcp-call.js'
import { narrowedAccess, type Profile } from './profile.js'
import type { Seal } from './seal.js'

export { ServedSkills }

/** Services shared by all servers of an app. */
export interface DoorParts {
  readonly app: Minions
  readonly runs: Runs | undefined
  readonly seal: Seal
  readonly features: readonly McpFeatures[]
  readonly missions: MissionTasks
  readonly skills: ServedSkills
}

/** Seconds that a person may take to answer. */
const STATE_LIFE = 24 * 60 * 60

const INSTRUCTIONS =
  'Minions keeps objects, prompts, workspaces, missions and skills in one graph. Tools read and change it; operations_search finds what has no tool of its own.'

/** Creates the server of one caller: for one request of the newer revision, for a whole connection of the older one. */
export function createDoor(parts: DoorParts, caller: Caller, profile: Profile, { era }: McpRequestContext): DoorServer {
  const isModern = era === 'modern'
  const { seal, features } = parts
  const codec = createRequestStateCodec<unknown>({
    key: seal.key,
    ttlSeconds: STATE_LIFE,
    bind: ({ mcpReq }) => JSON.stringify([mcpReq.method, caller.by, caller.tenant ?? '']),
  })
  const server = new DoorServer(
    { name: 'minions', title: 'Minions', version: manifest.version },
    { capabilities: capabilitiesOf(isModern), instructions: INSTRUCTIONS, requestState: { verify: codec.verify } },
  )
  const narrowed: Caller = { ...caller, access: narrowedAccess(caller.access, profile) }
  const callOf: CallOf = (request) =>
    createCall(
      {
        ...parts,
        caller: narrowed,
        isModern,
        client: server.getClientCapabilities() ?? {},
        sealState: (state, context) => codec.mint(state, context),
      },
      request,
    )

  const tasks = new TaskWire([parts.missions, runTasks, ...given(features, 'tasks')])
  handleTools(server, callOf, [operationTools(profile, toolRunner(parts.missions)), ...given(features, 'tools')], tasks)
  const resources = [
    minionResources,
    workspaceResources,
    artifactResources,
    parts.skills.resources,
    ...given(features, 'resources'),
  ]
  handleResources(server, callOf, resources)
  const prompts = [...given(features, 'prompts'), publishedPrompts]
  handlePrompts(server, callOf, prompts)
  handleCompletion(server, callOf, resources, prompts)
  handleSkills(server, callOf, parts.skills)
  if (isModern) handleTasks(server, callOf, tasks)
  else handleSubscriptions(server)
  return server
}

function given<Name extends keyof McpFeatures>(features: readonly McpFeatures[], name: Name) {
  return features.flatMap((each): NonNullable<McpFeatures[Name]>[] => {
    const feature = each[name]
    return feature ? [feature] : []
  })
}

function capabilitiesOf(isModern: boolean): ServerCapabilities {
  return {
    tools: {},
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
    extensions: { [SKILLS_EXTENSION_ID]: { directoryRead: true }, ...(isModern && { [TASKS_EXTENSION]: {} }) },
  }
}
