import { isMinionsError } from '@minions/core'
import type { Logger } from '@minions/core/plugin'
import type { SubagentManager } from '@minions/skills-runtime'
import type { CallToolResult, Tool } from '@modelcontextprotocol/client'
import { mcpError } from '../errors.js'
import { ServerConnection } from './server-connection.js'
import type { ServerOptions } from './server-options.js'
import { skillNames } from './skill-name.js'
import { signatureOf, toolSkill } from './tool-skill.js'

/** Milliseconds after which the tools of a server are looked at again before one is called. */
const FRESH_FOR = 10_000

interface KnownTool {
  readonly skill: string
  readonly version: string
  readonly signature: string
}

/** The tools of one server as skills. */
export class ToolServer {
  readonly #name: string
  readonly #options: ServerOptions
  readonly #skills: SubagentManager
  readonly #logger: Logger
  readonly #connection: ServerConnection
  readonly #known = new Map<string, KnownTool>()
  #listedAt = 0

  constructor(name: string, options: ServerOptions, skills: SubagentManager, logger: Logger) {
    this.#name = name
    this.#options = options
    this.#skills = skills
    this.#logger = logger
    this.#connection = new ServerConnection({ name, options, logger, onTools: (tools) => this.#take(tools) })
  }

  start(): Promise<void> {
    return this.#connection.start()
  }

  close(): Promise<void> {
    return this.#connection.close()
  }

  /** Names of the skills, by names of tools. */
  get tools(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#known].map(([tool, { skill }]) => [tool, skill]))
  }

  /** Makes skills of what is new, and takes back those of tools that are gone or have become others. */
  #take(listed: readonly Tool[]): void {
    this.#listedAt = Date.now()
    const wanted = this.#options.tools
    const tools = wanted ? listed.filter(({ name }) => wanted.includes(name)) : listed
    const names = skillNames(
      this.#name,
      tools.map(({ name }) => name),
    )
    for (const gone of [...this.#known.keys()].filter((name) => !names.has(name))) this.#remove(gone)
    for (const tool of tools) this.#add(tool, names.get(tool.name) ?? tool.name)
  }

  #add(tool: Tool, skill: string): void {
    const signature = signatureOf(tool)
    const known = this.#known.get(tool.name)
    if (known?.signature === signature) return
    const version = known ? nextVersion(known.version) : '1.0.0'
    if (known) this.#remove(tool.name)
    if (this.#skills.registry.hasSkill(skill)) {
      this.#logger.warn('A tool of an MCP server is left out: there is a skill of its name.', {
        server: this.#name,
        skill,
      })
      return
    }
    const call = (of: Tool, input: Record<string, unknown>, signal: AbortSignal) =>
      this.#call(of, signature, input, signal)
    const parts = { server: this.#name, options: this.#options, name: skill, version, call }
    try {
      this.#skills.registry.registerSkill(toolSkill(tool, parts))
      this.#known.set(tool.name, { skill, version, signature })
    } catch (error) {
      const { message } = isMinionsError(error) ? error : { message: String(error) }
      this.#logger.warn('A tool of an MCP server cannot be a skill.', { server: this.#name, tool: tool.name, message })
    }
  }

  #remove(tool: string): void {
    const known = this.#known.get(tool)
    this.#known.delete(tool)
    if (known && this.#skills.registry.hasSkill(known.skill, known.version)) {
      this.#skills.registry.unregister(known.skill, known.version)
    }
  }

  /** Calls a tool, unless it is no longer the one that the skill was made of. */
  async #call(
    tool: Tool,
    signature: string,
    input: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<CallToolResult> {
    if (Date.now() - this.#listedAt > FRESH_FOR) await this.#connection.refresh()
    if (this.#known.get(tool.name)?.signature !== signature) throw changed(tool.name, this.#name)
    return this.#connection.call(tool.name, input, signal)
  }
}

function nextVersion(version: string): string {
  const [major = '1', minor = '0'] = version.split('.')
  return `${major}.${Number(minor) + 1}.0`
}

/** Trying again is of no use: the skill that the caller knows does not exist any more. */
function changed(tool: string, server: string): Error {
  const message = `The tool "${tool}" of the MCP server "${server}" is not what it was when the skill was found; look at the skill again.`
  return Object.assign(mcpError('TOOL_CHANGED', message), { retryable: false })
}
