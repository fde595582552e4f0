import type { Minions } from '@minions/core'
import type { EventSource } from '@minions/core/operations'
import { guardMethods, type Logger } from '@minions/core/plugin'
import type { StoreAccess } from '@minions/core/storage'
import type { Caller, ServerApi } from '@minions/server/plugin'
import type { SkillRegistry } from '@minions/skills-runtime'
import type { McpRequestContext } from '@modelcontextprotocol/server'
import type { RemoteServer } from './client/remote-server.js'
import type { DoorServer } from './door/door-server.js'
import type { McpFeatures } from './door/features.js'
import { checkProfile, type Profile } from './door/profile.js'
import { openSeal, type Seal } from './door/seal.js'
import type { HttpDoor } from './http/http-door.js'
import { ChangeWatch } from './resources/change-watch.js'
import type { ServedSkills } from './skills/served-skills.js'
import { MissionTasks } from './tasks/mission-tasks.js'

export interface McpParts {
  readonly client: Minions
  readonly store: StoreAccess
  readonly logger: Logger
  readonly sources: readonly EventSource[]
  readonly features: readonly McpFeatures[]
  readonly server: ServerApi | undefined
  readonly profile: Profile
  readonly servers: ReadonlyMap<string, RemoteServer>
  /** The skills of the app, if it has the plugin. */
  readonly registry: SkillRegistry | undefined
}

/** The API of the plugin in an app: `app.mcp`. */
export class Mcp {
  readonly logger: Logger
  /** Notifies MCP clients of changes. */
  readonly watch: ChangeWatch
  readonly #parts: McpParts
  readonly #missions: MissionTasks
  #skills: ServedSkills | undefined
  #seal: Promise<Seal> | undefined
  #http: Promise<HttpDoor> | undefined

  constructor(parts: McpParts) {
    this.#parts = parts
    this.logger = parts.logger
    this.watch = new ChangeWatch(parts.client, parts.sources, parts.logger)
    this.#missions = new MissionTasks(parts.logger)
  }

  /** The API of `server()`, if the app has it. */
  get server(): ServerApi | undefined {
    return this.#parts.server
  }

  /** Skills that the tools of other servers have become: by server, names of skills by names of tools. */
  tools(): Readonly<Record<string, Readonly<Record<string, string>>>> {
    return Object.fromEntries([...this.#parts.servers].map(([name, server]) => [name, server.names('tool')]))
  }

  /** Skills that the skills of other servers have become: by server, names of skills by addresses. */
  skills(): Readonly<Record<string, Readonly<Record<string, string>>>> {
    return Object.fromEntries([...this.#parts.servers].map(([name, server]) => [name, server.names('skill')]))
  }

  /** Creates the official server of a caller. The options of the plugin apply to what the profile omits. */
  async door(caller: Caller, profile: Profile, context: McpRequestContext): Promise<DoorServer> {
    const { client, server, features, registry, profile: defaults } = this.#parts
    this.#seal ??= openSeal(this.#parts.store)
    const seal = await this.#seal
    // Loaded with the first client, because an app that serves none should not wait for it.
    const { createDoor, ServedSkills } = await import('./door/create-door.js')
    this.#skills ??= new ServedSkills(registry)
    const parts = { app: client, runs: server?.runs, seal, features, missions: this.#missions, skills: this.#skills }
    return createDoor(parts, caller, this.profileOf(profile, defaults), context)
  }

  /** The handler of requests at `/mcp`. */
  http(): Promise<HttpDoor> {
    this.#http ??= import('./http/http-door.js').then(({ HttpDoor }) => new HttpDoor(this))
    return this.#http
  }

  /** A profile with the defaults of the plugin. Throws `VALIDATION_FAILED`. */
  profileOf({ tools, access }: Profile, defaults: Profile = this.#parts.profile): Profile {
    const profile = { tools: tools ?? defaults.tools, access: access ?? defaults.access }
    checkProfile(profile)
    return profile
  }

  async close(): Promise<void> {
    await (await this.#http)?.close()
    this.watch.close()
    await Promise.all([...this.#parts.servers.values()].map((server) => server.close()))
    await this.#missions.settle()
  }
}

guardMethods(Mcp)
