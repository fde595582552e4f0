import { takeOptions } from '@minions/core/plugin'
import type { AuthProvider, OAuthClientProvider } from '@modelcontextprotocol/client'
import { mcpError } from '../errors.js'
import type { SignInOptions } from './sign-in.js'

/** A question that a server asks while one of its tools runs. */
export interface ServerQuestion {
  /** Name of the server in `servers`. */
  readonly server: string
  /** The server's own words, to be shown as such. */
  readonly message: string
  /** JSON Schema of the answer: an object of strings, numbers, booleans and choices, which may have defaults. */
  readonly schema: Readonly<Record<string, unknown>>
  /** Aborted when the server no longer wants an answer. */
  readonly signal: AbortSignal
}

/** The answer to it; absent properties get their defaults. */
export type ServerAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, string | number | boolean | string[]>> }
  | { readonly action: 'decline' | 'cancel' }

/** Options of all servers. */
interface CommonServerOptions {
  /** Tools that become skills, by their names; all by default. */
  readonly tools?: readonly string[]
  /** Skills of the server, by their names, that become skills of the app; all by default. */
  readonly skills?: readonly string[]
  /** Seconds that a call may take; 30 by default. */
  readonly timeout?: number
  /** Number of retries of a failed call; 0 by default, since a tool may have done its work. */
  readonly maxRetries?: number
  /** Maximum size in bytes of an answer; 4 MiB by default. */
  readonly maxAnswerBytes?: number
  /**
   * Answers questions that the server asks while a tool runs, for example by asking a person. Without it the server is
   * told that it cannot ask.
   */
  readonly ask?: (question: ServerQuestion) => Promise<ServerAnswer>
}

/** A server that is a program on this machine. */
export interface CommandServerOptions extends CommonServerOptions {
  readonly command: string
  readonly args?: readonly string[]
  /** Environment besides what every program needs, such as PATH. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** A server that is reached over HTTP. */
export interface UrlServerOptions extends CommonServerOptions {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Has a person sign in to the server. */
  readonly signIn?: SignInOptions
  /** Signs in without a person: a provider of `@modelcontextprotocol/client`. */
  readonly auth?: AuthProvider | OAuthClientProvider
}

/** How another MCP server is reached. */
export type ServerOptions = CommandServerOptions | UrlServerOptions

export const SERVER_DEFAULTS = { timeout: 30, maxRetries: 0, maxAnswerBytes: 4 * 1024 * 1024 } as const

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

/** Checks the servers of the plugin. Throws `VALIDATION_FAILED`. */
export function checkServers(servers: Readonly<Record<string, ServerOptions>>): void {
  for (const [name, options] of Object.entries(takeOptions('The servers of mcp', servers))) {
    if (!NAME.test(name) || name.length > 20) {
      throw invalid(name, 'its name must be lower-case letters and digits with hyphens between them, 20 at most')
    }
    const { command, url }: Partial<CommandServerOptions & UrlServerOptions> = takeOptions(
      'The options of an MCP server',
      options,
    )
    if ((command === undefined) === (url === undefined)) throw invalid(name, 'it needs either a `command` or a `url`')
    if (url !== undefined && !URL.canParse(url)) throw invalid(name, '`url` is not a URL')
    if (url !== undefined && !/^https?:$/.test(new URL(url).protocol))
      throw invalid(name, '`url` must be http or https')
    const { auth, signIn } = options as Partial<UrlServerOptions>
    if (auth !== undefined && signIn !== undefined) throw invalid(name, 'it has both `auth` and `signIn`')
    if (signIn !== undefined && (typeof signIn.authorize !== 'function' || !URL.canParse(signIn.redirectUrl)))
      throw invalid(name, '`signIn` needs a function `authorize` and a URL `redirectUrl`')
    if (command !== undefined && (typeof command !== 'string' || command === ''))
      throw invalid(name, '`command` is empty')
  }
}

function invalid(name: string, problem: string): Error {
  return mcpError('VALIDATION_FAILED', `The MCP server "${name.slice(0, 100)}" cannot be used: ${problem}.`)
}
