/**
 * Signs in with what the platform of a workload vouches for (RFC 7523), as a program would that brings a provider of its
 * own.
 *
 * @implements {import('@modelcontextprotocol/client').OAuthClientProvider}
 */
export class WorkloadProvider {
  redirectUrl = undefined
  #clientId
  #assertion
  /** @type {import('@modelcontextprotocol/client').OAuthTokens | undefined} */
  #tokens

  /** @param {string} clientId @param {string} assertion */
  constructor(clientId, assertion) {
    this.#clientId = clientId
    this.#assertion = assertion
  }

  get clientMetadata() {
    return { redirect_uris: [], token_endpoint_auth_method: 'none' }
  }

  clientInformation() {
    return { client_id: this.#clientId }
  }

  tokens() {
    return this.#tokens
  }

  /** @param {import('@modelcontextprotocol/client').OAuthTokens} tokens */
  saveTokens(tokens) {
    this.#tokens = tokens
  }

  prepareTokenRequest() {
    const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
    return new URLSearchParams({ grant_type, assertion: this.#assertion })
  }

  redirectToAuthorization() {
    throw new Error('A workload has no one who could sign in.')
  }

  saveCodeVerifier() {}

  codeVerifier() {
    return ''
  }
}
