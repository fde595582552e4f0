import { isMinionsError, messageOf } from '@minions/core'
import { withDeadline } from '@minions/core/coordination'
import type { Logger } from '@minions/core/plugin'
import {
  type CallToolResult,
  Client,
  ProtocolError,
  StreamableHTTPClientTransport,
  type Tool,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import {
  type Skill,
  type SkillFile,
  SkillsClient,
  SkillVerificationError,
} from '@modelcontextprotocol/client/ext/skills'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import manifest from '../../package.json' with { type: 'json' }
import { mcpError } from '../errors.js'
import { answerTooLarge, limitAnswers } from './limit-answers.js'
import { SERVER_DEFAULTS, type ServerOptions } from './server-options.js'
import { SignIn } from './sign-in.js'

/** Milliseconds to connect to a server and list its tools. */
const CONNECT_TIMEOUT = 15_000

/** Milliseconds between two attempts to reconnect to a server: the first, and the longest. */
const RETRY = { first: 500, longest: 60_000 } as const

/** Maximum number of sign-ins per call before the server counts as refusing. */
const MOST_SIGN_INS = 3

/** What a server offers. */
export interface Listed {
  readonly tools: readonly Tool[]
  readonly skills: readonly Skill[]
}

export interface ConnectionParts {
  readonly name: string
  readonly options: ServerOptions
  readonly logger: Logger
  /** Called with everything that the server offers, whenever it was listed. */
  readonly onListed: (listed: Listed) => void
}

/** The connection to another MCP server. It reconnects automatically when the server goes away. */
export class ServerConnection {
  readonly #parts: ConnectionParts
  readonly #signIn: SignIn | undefined
  #http: StreamableHTTPClientTransport | undefined
  #client: Promise<Client> | undefined
  #retryIn: number = RETRY.first
  #retry: NodeJS.Timeout | undefined
  #lastError: Error | undefined
  #isClosed = false
  /** A person who did not sign in is not shown the page again until something is called. */
  #isSignInRefused = false

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    const { options } = parts
    this.#signIn = 'url' in options && options.signIn ? new SignIn(options.signIn) : undefined
  }

  /**
   * Connects and lists what the server offers. Never rejects: failures are retried later. It does not wait for a person
   * to sign in.
   */
  async start(): Promise<void> {
    const connected = this.#connected().catch(() => undefined)
    await withDeadline<unknown>(connected, { timeout: CONNECT_TIMEOUT, expired: () => undefined })
  }

  /** Calls a tool. Throws `SERVER_UNAVAILABLE`, `SERVER_REFUSED` or `ANSWER_TOO_LARGE`. */
  async call(name: string, input: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult> {
    const call = (client: Client) => client.callTool({ name, arguments: input }, { signal, timeout: this.#timeout })
    return (await this.#ask(call)) as CallToolResult
  }

  /**
   * Reads a file of a skill, its `SKILL.md` unless a path is given, and compares it with what the server announced.
   * Throws `SKILL_UNVERIFIED` if it differs, and as `call` does.
   */
  async readSkill(skill: Skill, path: string | undefined, signal: AbortSignal): Promise<SkillFile> {
    return this.#ask((client) => new SkillsClient(client).read(skill, path, { signal, timeout: this.#timeout }))
  }

  /** Lists the offers of the server again. Throws as `call` does. */
  async refresh(): Promise<void> {
    await this.#ask((client) => this.#list(client))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    const client = await this.#client?.catch(() => undefined)
    await client?.close().catch(() => undefined)
  }

  get #timeout(): number {
    return (this.#parts.options.timeout ?? SERVER_DEFAULTS.timeout) * 1000
  }

  async #ask<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = await this.#connected()
    try {
      return await this.#signedIn(() => work(client))
    } catch (error) {
      throw this.#problem(error)
    }
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#signedIn(() => this.#connect()).catch((error: unknown) => {
      this.#client = undefined
      this.#retryLater()
      throw this.#problem(error)
    })
    return this.#client
  }

  async #connect(): Promise<Client> {
    if (this.#isClosed) throw new Error('The app is closed.')
    clearTimeout(this.#retry)
    this.#lastError = undefined
    const { ask } = this.#parts.options
    // A server may neither use the model nor learn of folders, and may ask only where someone wants to be asked.
    const client = new Client(
      { name: 'minions', version: manifest.version },
      {
        capabilities: ask ? { elicitation: { form: { applyDefaults: true } } } : {},
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: 5000 } },
        listChanged: { tools: { autoRefresh: false, onChanged: () => void this.#listAgain(client) } },
      },
    )
    if (ask) this.#answerQuestions(client, ask)
    client.onerror = (error) => {
      this.#lastError = error
    }
    client.onclose = () => {
      if (this.#isClosed) return
      this.#client = undefined
      this.#retryLater()
    }
    try {
      await client.connect(this.#transport(), { timeout: CONNECT_TIMEOUT })
      await this.#list(client)
    } catch (error) {
      client.onclose = () => undefined
      await client.close().catch(() => undefined)
      throw error
    }
    this.#retryIn = RETRY.first
    return client
  }

  #answerQuestions(client: Client, ask: NonNullable<ServerOptions['ask']>): void {
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq: { signal } }) => {
      if (!('requestedSchema' in params)) return { action: 'decline' }
      const { message, requestedSchema } = params
      const answer = await ask({ server: this.#parts.name, message, schema: { ...requestedSchema }, signal })
      return answer.action === 'accept' ? { action: 'accept', content: { ...answer.content } } : answer
    })
  }

  #transport() {
    const { options } = this.#parts
    const { maxAnswerBytes = SERVER_DEFAULTS.maxAnswerBytes } = options
    if ('url' in options) {
      const authProvider = this.#signIn ?? options.auth
      this.#http = new StreamableHTTPClientTransport(new URL(options.url), {
        fetch: limitAnswers(maxAnswerBytes),
        ...(options.headers && { requestInit: { headers: { ...options.headers } } }),
        ...(authProvider && { authProvider }),
      })
      return this.#http
    }
    return new StdioClientTransport({
      command: options.command,
      args: [...(options.args ?? [])],
      env: { ...getDefaultEnvironment(), ...options.env },
      ...(options.cwd !== undefined && { cwd: options.cwd }),
      stderr: 'ignore',
      maxBufferSize: maxAnswerBytes,
    })
  }

  /** Runs work that may need a person to sign in first, or again for more scopes. */
  async #signedIn<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        if (!this.#signIn || !this.#http || !isUnauthorized(error) || attempt >= MOST_SIGN_INS) throw error
        this.#isSignInRefused = true
        await this.#http.finishAuth(await this.#signIn.answer())
        this.#isSignInRefused = false
      }
    }
  }

  async #list(client: Client): Promise<void> {
    const options = { timeout: CONNECT_TIMEOUT, cacheMode: 'refresh' } as const
    // The official client writes to standard output when a server lacks the requested feature.
    const { tools } = client.getServerCapabilities()?.tools ? await client.listTools(undefined, options) : { tools: [] }
    this.#parts.onListed({ tools, skills: await this.#listSkills(client) })
  }

  /** Skills by the skills extension; none where the server does not know it. What is wrong with them keeps no tool away. */
  async #listSkills(client: Client): Promise<Skill[]> {
    const { name, logger } = this.#parts
    try {
      const extension = new SkillsClient(client, { skipInvalid: true })
      if (!extension.supported) return []
      const { skills, invalid } = await extension.list(undefined, { timeout: CONNECT_TIMEOUT })
      if (invalid.length > 0) logger.warn('Skills of an MCP server are skipped.', { server: name, invalid })
      return skills
    } catch (error) {
      if (isUnauthorized(error)) throw error
      logger.warn('The skills of an MCP server could not be listed.', { server: name, error })
      return []
    }
  }

  async #listAgain(client: Client): Promise<void> {
    try {
      await this.#list(client)
    } catch (error) {
      this.#parts.logger.warn('What an MCP server offers could not be listed again.', {
        server: this.#parts.name,
        error,
      })
    }
  }

  #retryLater(): void {
    if (this.#isClosed || this.#isSignInRefused) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.start(), this.#retryIn).unref()
    this.#retryIn = Math.min(this.#retryIn * 2, RETRY.longest)
  }

  #problem(error: unknown): Error {
    if (isMinionsError(error)) return error
    const { name, options } = this.#parts
    if (error instanceof SkillVerificationError) {
      const unverified = mcpError(
        'SKILL_UNVERIFIED',
        `A skill of the MCP server "${name}" does not match what the server announced, and is not used: ${messageOf(error, 1000)}`,
        { cause: error },
      )
      return Object.assign(unverified, { retryable: false })
    }
    if (error instanceof ProtocolError) {
      return mcpError('SERVER_REFUSED', `The MCP server "${name}" refused: ${messageOf(error, 1000)}`, { cause: error })
    }
    const cause = this.#lastError ?? error
    if (isTooLarge(cause) || isTooLarge(error))
      return answerTooLarge(options.maxAnswerBytes ?? SERVER_DEFAULTS.maxAnswerBytes)
    return mcpError('SERVER_UNAVAILABLE', `The MCP server "${name}" does not answer: ${messageOf(error, 1000)}`, {
      cause,
    })
  }
}

/** True for an error that says that someone must sign in. */
function isUnauthorized(error: unknown): boolean {
  return error instanceof UnauthorizedError || (error instanceof Error && isUnauthorized(error.cause))
}

/** True for what the transports say of a message that has too many bytes. */
function isTooLarge(error: unknown): boolean {
  if (mcpError.is(error, 'ANSWER_TOO_LARGE')) return true
  return error instanceof Error && (/exceed/i.test(error.message) || isTooLarge(error.cause))
}
