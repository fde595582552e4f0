import { isToken, type Token, tokens } from '@minions/core'
import { Container } from './container.js'
import { hostError } from './errors.js'

/** Who provides the tokens that every app has. */
export const HOST = '@minions/host'

/** What the plugins of one app provide to each other. Clashes are refused, and so is replacing what is in use already. */
export class Wiring {
  readonly #container = new Container()
  readonly #providers = new Map<string, string>()
  readonly #firstUsers = new Map<string, string>()

  provide<T>(plugin: string, token: Token<T>, value: T): void {
    const name = nameOf(plugin, token)
    const other = this.#providers.get(name)
    if (other !== undefined) throw tokenClash(name, other, plugin)
    this.#providers.set(name, plugin)
    this.#container.set(name, value)
  }

  override<T>(plugin: string, token: Token<T>, replace: (previous: T) => T): void {
    const name = nameOf(plugin, token)
    const provider = this.#providers.get(name)
    if (provider === undefined) throw this.#missing(plugin, name)
    if (provider === HOST) {
      throw hostError(
        'OVERRIDE_INVALID',
        `The plugin "${plugin}" overrides "${name}" in its setup, when it is in use already; ${earlyRemedy(name)}.`,
        { details: { plugins: [plugin], token: name } },
      )
    }
    const user = this.#firstUsers.get(name)
    if (user !== undefined) {
      throw hostError(
        'TOKEN_IN_USE',
        `The plugin "${plugin}" overrides "${name}", which "${user}" has resolved already; let "${user}" require "${plugin}", so that it starts later.`,
        { details: { plugins: [plugin, user], token: name } },
      )
    }
    this.#container.set(name, replace(this.#container.get(name) as T))
  }

  resolve<T>(plugin: string, token: Token<T>): T {
    const name = nameOf(plugin, token)
    if (!this.#container.has(name)) throw this.#missing(plugin, name)
    if (!this.#firstUsers.has(name)) this.#firstUsers.set(name, plugin)
    return this.#container.get(name) as T
  }

  #missing(plugin: string, name: string): Error {
    return hostError(
      'TOKEN_MISSING',
      `The plugin "${plugin}" asks for "${name}", which no plugin that started before it provides; add the provider to the list and to its \`requires\`.`,
      { details: { plugins: [plugin], token: name } },
    )
  }
}

/** Two providers of one token, whether declared or found out during setup. */
export function tokenClash(name: string, first: string, second: string): Error {
  return hostError(
    'TOKEN_CLASH',
    `The plugin "${second}" provides "${name}", which "${first}" provides already; use override to replace it.`,
    { details: { plugins: [first, second], token: name } },
  )
}

function nameOf(plugin: string, token: Token<unknown>): string {
  if (isToken(token)) return token.name
  throw hostError('TOKEN_MISSING', `The plugin "${plugin}" uses something as a token that createToken did not make.`, {
    details: { plugins: [plugin] },
  })
}

function earlyRemedy(name: string): string {
  const early: string[] = [tokens.storage.name, tokens.clock.name, tokens.ids.name, tokens.logger.name]
  return early.includes(name) ? 'list it in `overrides` of the definition' : 'it cannot be replaced'
}
