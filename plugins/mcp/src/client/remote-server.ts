import type { Logger } from '@minions/core/plugin'
import type { SubagentManager } from '@minions/skills-runtime'
import { type Offer, OfferedSkills } from './offered-skills.js'
import { remoteSkillOffer } from './remote-skill.js'
import { type Listed, ServerConnection } from './server-connection.js'
import type { ServerOptions } from './server-options.js'
import { toolOffer } from './tool-skill.js'

/** Milliseconds after which the lists of a server are read again before use. */
const FRESH_FOR = 10_000

/** The tools and skills of another server, as skills of the app. */
export class RemoteServer {
  readonly #name: string
  readonly #options: ServerOptions
  readonly #connection: ServerConnection
  readonly #offered: OfferedSkills
  #listedAt = 0

  constructor(name: string, options: ServerOptions, { registry }: SubagentManager, logger: Logger) {
    this.#name = name
    this.#options = options
    this.#offered = new OfferedSkills({ server: name, registry, logger, refresh: () => this.#refresh() })
    this.#connection = new ServerConnection({ name, options, logger, onListed: (listed) => this.#take(listed) })
  }

  start(): Promise<void> {
    return this.#connection.start()
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  /** Names of the skills that its tools have become, by names of tools, or its own skills, by their addresses. */
  names(kind: Offer['kind']): Readonly<Record<string, string>> {
    return this.#offered.names(kind)
  }

  #take({ tools, skills }: Listed): void {
    this.#listedAt = Date.now()
    const { tools: wantedTools, skills: wantedSkills } = this.#options
    const parts = { server: this.#name, options: this.#options, connection: this.#connection }
    this.#offered.update([
      ...tools.filter(({ name }) => wantedTools?.includes(name) ?? true).map((tool) => toolOffer(tool, parts)),
      ...skills
        .filter(({ frontmatter }) => wantedSkills?.includes(frontmatter.name) ?? true)
        .map((entry) => remoteSkillOffer(entry, parts)),
    ])
  }

  async #refresh(): Promise<void> {
    if (Date.now() - this.#listedAt > FRESH_FOR) await this.#connection.refresh()
  }
}
