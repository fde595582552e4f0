import { messageOf } from '@minions/core'
import type { Logger } from '@minions/core/plugin'
import type { Skill, SkillRegistry } from '@minions/skills-runtime'
import { mcpError } from '../errors.js'
import { skillNames } from './skill-name.js'

/** Something of another server that becomes a skill. */
export interface Offer {
  readonly kind: 'tool' | 'skill'
  /** The server's own identifier. */
  readonly key: string
  /** The name of the skill, after the name of the server. */
  readonly name: string
  /** Fingerprint of the offer. */
  readonly signature: string
  /** Attributes of the skill besides its name and version. */
  readonly attributes: Omit<Skill, 'name' | 'version' | 'execute'>
  readonly run: (input: Record<string, unknown>, signal: AbortSignal) => Promise<object>
}

interface Registered extends Pick<Offer, 'kind' | 'key' | 'signature'> {
  readonly skill: string
  readonly version: string
}

export interface OfferedSkillsParts {
  readonly server: string
  readonly registry: SkillRegistry
  readonly logger: Logger
  /** Lists the offers again, if the last time was long ago. */
  readonly refresh: () => Promise<void>
}

/** Skills of the registry that stand for what one server offers. */
export class OfferedSkills {
  readonly #parts: OfferedSkillsParts
  readonly #registered = new Map<string, Registered>()

  constructor(parts: OfferedSkillsParts) {
    this.#parts = parts
  }

  /** Registers new offers, and removes those that are gone or have changed. */
  update(offers: readonly Offer[]): void {
    const named = offers.map((offer) => ({ id: idOf(offer), name: offer.name }))
    const names = skillNames(this.#parts.server, named)
    for (const gone of [...this.#registered.keys()].filter((id) => !names.has(id))) this.#remove(gone)
    for (const offer of offers) this.#register(offer, names.get(idOf(offer)) ?? offer.name)
  }

  /** Names of the skills that stand for one kind of offers, by key. */
  names(kind: Offer['kind']): Readonly<Record<string, string>> {
    const ofKind = [...this.#registered.values()].filter((registered) => registered.kind === kind)
    return Object.fromEntries(ofKind.map(({ key, skill }) => [key, skill]))
  }

  #register(offer: Offer, name: string): void {
    const { server, registry, logger } = this.#parts
    const { kind, key, signature, attributes } = offer
    const id = idOf(offer)
    const before = this.#registered.get(id)
    if (before?.signature === signature) return
    const version = before ? nextVersion(before.version) : '1.0.0'
    if (before) this.#remove(id)
    if (registry.hasSkill(name)) {
      logger.warn(`A ${kind} of an MCP server is skipped: a skill of its name exists.`, { server, skill: name })
      return
    }
    try {
      const execute: Skill['execute'] = (input, { signal }) => this.#run(offer, input, signal)
      registry.registerSkill({ ...attributes, name, version, execute })
      this.#registered.set(id, { kind, key, signature, skill: name, version })
    } catch (error) {
      logger.warn(`A ${kind} of an MCP server cannot be a skill.`, { server, key, message: messageOf(error, 1000) })
    }
  }

  /** Runs an offer, unless it has changed since the skill was created. */
  async #run(offer: Offer, input: Record<string, unknown>, signal: AbortSignal): Promise<object> {
    await this.#parts.refresh()
    if (this.#registered.get(idOf(offer))?.signature !== offer.signature) throw changed(offer, this.#parts.server)
    return offer.run(input, signal)
  }

  #remove(id: string): void {
    const { registry } = this.#parts
    const before = this.#registered.get(id)
    this.#registered.delete(id)
    if (before && registry.hasSkill(before.skill, before.version)) registry.unregister(before.skill, before.version)
  }
}

function idOf({ kind, key }: Pick<Offer, 'kind' | 'key'>): string {
  return `${kind} ${key}`
}

function nextVersion(version: string): string {
  const [major = '1', minor = '0'] = version.split('.')
  return `${major}.${Number(minor) + 1}.0`
}

/** A retry is pointless: the skill that the caller knows no longer exists. */
function changed({ kind, name }: Offer, server: string): Error {
  const message = `The ${kind} "${name}" of the MCP server "${server}" has changed since it was listed; look up the skill again.`
  return Object.assign(mcpError('TOOL_CHANGED', message), { retryable: false })
}
