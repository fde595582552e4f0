/** Checks of the official suite that do not pass, each with the reason. Whatever else fails is a mistake of ours. */
export const SERVER_EXCEPTIONS: Readonly<Record<string, string>> = {
  'http-custom-header-server-validation':
    'Pending in the suite itself. It needs a tool with `x-mcp-header`, and operations have none: nothing of their inputs belongs into a header.',
}

const NO_SKILLS =
  'The suite skips the scenario for a client that never calls `skills/list`. Ours takes the tools of other servers as skills and reads no skill files of theirs, so there is none to fetch early or to verify.'

const FOR_COMPANIES =
  'An extension of the authorization framework that the revision does not require. It is for identity providers of companies; a provider of the official client in `auth` can do it, and nothing of ours takes part in it.'

/** Extension scenarios for clients that are left out; of those that revisions require, none is. */
export const CLIENT_EXCEPTIONS: Readonly<Record<string, string>> = {
  'sep-2640-client-no-prefetch': NO_SKILLS,
  'sep-2640-client-verify-digest': NO_SKILLS,
  'sep-2640-client-verify-size': NO_SKILLS,
  'sep-2640-client-verify-frontmatter': NO_SKILLS,
  'auth/enterprise-managed-authorization': FOR_COMPANIES,
  'auth/dpop': FOR_COMPANIES,
  'auth/dpop-nonce': FOR_COMPANIES,
  'auth/wif-jwt-bearer': FOR_COMPANIES,
}
