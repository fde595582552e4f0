import { randomUUID } from 'node:crypto'
import type {
  DpopSession,
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { mcpError } from '../errors.js'

/** The stored sign-in, by the address of the authorization server; JSON. */
export type SignedIn = Readonly<Record<string, { readonly client?: object; readonly tokens?: object }>>

/** Options for signing in to a server with OAuth: the authorization code flow with PKCE. */
export interface SignInOptions {
  /** Shows a person the sign-in page; resolves to the address that it finally redirects to. */
  authorize(page: URL): Promise<URL | string>
  /** The final redirect address, which `authorize` must notice, such as one on this machine. */
  readonly redirectUrl: string
  /** A client that was registered beforehand; by default one is registered on first use. */
  readonly client?: { readonly id: string; readonly secret?: string }
  /** Address of the document that describes the client, for authorization servers that read one. */
  readonly clientMetadataUrl?: string
  /**
   * Binds tokens to a key, if the authorization server supports it (DPoP): a session of `@modelcontextprotocol/client`.
   */
  readonly dpop?: DpopSession
  /** Where to remember the sign-in, which otherwise lasts as long as the app. */
  readonly store?: {
    load(): Promise<SignedIn | undefined>
    save(signedIn: SignedIn): Promise<void>
  }
}

interface Kept {
  readonly client?: StoredOAuthClientInformation
  readonly tokens?: StoredOAuthTokens
}

/** Signs a person in, through the interface of the official client. */
export class SignIn implements OAuthClientProvider {
  readonly redirectUrl: string
  readonly clientMetadata: OAuthClientMetadata
  readonly clientMetadataUrl?: string
  readonly #options: SignInOptions
  #kept: Promise<Map<string, Kept>> | undefined
  #latest = ''
  #state = ''
  #verifier = ''
  /** The authorization server of the page that is shown, by which the answer is checked. */
  #discovered: OAuthDiscoveryState | undefined
  #returned: Promise<URL | string> | undefined

  constructor(options: SignInOptions) {
    this.#options = options
    this.redirectUrl = options.redirectUrl
    this.clientMetadata = {
      client_name: 'Minions',
      redirect_uris: [options.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: options.client?.secret === undefined ? 'none' : 'client_secret_basic',
    }
    if (options.clientMetadataUrl !== undefined) this.clientMetadataUrl = options.clientMetadataUrl
  }

  state(): string {
    this.#state = randomUUID()
    return this.#state
  }

  async clientInformation(context?: OAuthClientInformationContext): Promise<StoredOAuthClientInformation | undefined> {
    const { client } = this.#options
    if (client) return { client_id: client.id, ...(client.secret !== undefined && { client_secret: client.secret }) }
    return (await this.#of(context)).client
  }

  saveClientInformation(client: StoredOAuthClientInformation, context?: OAuthClientInformationContext): Promise<void> {
    return this.#save({ client }, context)
  }

  async tokens(context?: OAuthClientInformationContext): Promise<StoredOAuthTokens | undefined> {
    return (await this.#of(context)).tokens
  }

  saveTokens(tokens: StoredOAuthTokens, context?: OAuthClientInformationContext): Promise<void> {
    // The server may name another authorization server the next time.
    this.#discovered = undefined
    return this.#save({ tokens }, context)
  }

  redirectToAuthorization(page: URL): void {
    this.#returned = this.#options.authorize(page)
    // It is waited for later.
    this.#returned.catch(() => undefined)
  }

  dpop(): DpopSession | undefined {
    return this.#options.dpop
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  codeVerifier(): string {
    return this.#verifier
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered
  }

  /** What the page gave back when the person had signed in. Throws `SERVER_REFUSED` for an answer to another request. */
  async answer(): Promise<URLSearchParams> {
    if (!this.#returned) throw mcpError('SERVER_REFUSED', 'The MCP server did not say where to sign in.')
    const returned = await this.#returned.finally(() => {
      this.#returned = undefined
    })
    const { searchParams } = new URL(returned)
    const state = searchParams.get('state')
    if (state !== null && state !== this.#state) {
      this.#discovered = undefined
      throw mcpError('SERVER_REFUSED', 'The answer of the sign-in page belongs to another request.')
    }
    return searchParams
  }

  async #of(context: OAuthClientInformationContext | undefined): Promise<Kept> {
    return (await this.#all()).get(context?.issuer ?? this.#latest) ?? {}
  }

  async #save(added: Kept, context: OAuthClientInformationContext | undefined): Promise<void> {
    const all = await this.#all()
    this.#latest = context?.issuer ?? this.#latest
    all.set(this.#latest, { ...all.get(this.#latest), ...added })
    await this.#options.store?.save(Object.fromEntries(all))
  }

  #all(): Promise<Map<string, Kept>> {
    this.#kept ??= this.#load()
    return this.#kept
  }

  async #load(): Promise<Map<string, Kept>> {
    const kept = Object.entries((await this.#options.store?.load()) ?? {}) as [string, Kept][]
    this.#latest = kept.findLast(([, { tokens }]) => tokens !== undefined)?.[0] ?? this.#latest
    return new Map(kept)
  }
}
