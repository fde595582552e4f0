// The client of the plugin as the official suite starts it: connects to a server and runs the skills of its tools.
import { createMinions } from '@minions/host'
import { mcp } from '@minions/mcp'
import { skills } from '@minions/skills-runtime'
import {
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  DpopSession,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant,
} from '@modelcontextprotocol/client'
import { WorkloadProvider } from './workload-provider.mjs'

const [, , url = ''] = process.argv
const { MCP_CONFORMANCE_SCENARIO: scenario = '' } = process.env

/** What the scenario says: the calls that it wants, and a client that it has registered. */
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
const { toolCalls = [], client_id: clientId, client_secret: clientSecret } = context

/** Signs in as a person would whose browser knows the password. @param {URL} page */
async function authorize(page) {
  const { headers } = await fetch(page, { redirect: 'manual' })
  return new URL(headers.get('location') ?? '', page)
}

/** How the client gets its tokens: from a person, unless the scenario is about a program on its own. */
async function access() {
  const { private_key_pem: privateKey, signing_algorithm: algorithm } = context
  switch (scenario) {
    case 'auth/client-credentials-basic':
      return { auth: new ClientCredentialsProvider({ clientId, clientSecret }) }
    case 'auth/client-credentials-jwt':
      return { auth: new PrivateKeyJwtProvider({ clientId, privateKey, algorithm }) }
    case 'auth/enterprise-managed-authorization':
      return { auth: new CrossAppAccessProvider({ clientId, clientSecret, assertion: exchangeIdToken }) }
    case 'auth/wif-jwt-bearer':
      return { auth: new WorkloadProvider(clientId, context.valid_jwt) }
  }
  const signIn = {
    authorize,
    redirectUrl: 'http://localhost:3000/callback',
    // The suite serves nothing there, and looks at whether it is used.
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    ...(clientId && { client: { id: clientId, secret: clientSecret } }),
    ...(scenario.startsWith('auth/dpop') && { dpop: await DpopSession.create() }),
  }
  return { signIn }
}

/** Has the identity provider of a company vouch for a person. @param {{ authorizationServerUrl: string, resourceUrl: string }} server */
async function exchangeIdToken({ authorizationServerUrl: audience, resourceUrl: resource }) {
  const { idp_token_endpoint: tokenEndpoint, idp_id_token: idToken, idp_client_id: id } = context
  const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
    tokenEndpoint,
    audience,
    resource,
    idToken,
    clientId: id,
  })
  return jwtAuthGrant
}

const ask = async () => /** @type {const} */ ({ action: 'accept', content: {} })

const app = await createMinions({
  storage: 'memory:',
  plugins: [skills(), mcp({ servers: { judge: { url, timeout: 20, ask, ...(await access()) } } })],
})

/** Values that fit what tools of the suite ask for. */
const examples = { integer: 5, number: 5, boolean: true, string: 'x', array: [], object: {} }

const tools = Object.entries(app.mcp.tools().judge ?? {})

/** @param {string} skill */
const schemaOf = (skill) => /** @type {any} */ (app.skills.registry.getSkill(skill).parameters_schema)

for (const [tool, skill] of tools) {
  const wanted = toolCalls.find((/** @type {{ name: string }} */ { name }) => name === tool)
  const created = Object.entries(schemaOf(skill).properties ?? {}).map(([key, { type, enum: values }]) => [
    key,
    // One tool of the suite wants to see the schema of another as the client has it.
    key === 'schema' ? schemaOf(tools[0]?.[1] ?? skill) : (values?.[0] ?? examples[type] ?? 'x'),
  ])
  const given = Object.entries(wanted?.arguments ?? Object.fromEntries(created)).filter(([, value]) => value !== null)
  const { agent_id } = await app.skills.spawn({})
  await app.skills
    .run(agent_id, skill, Object.fromEntries(given))
    .catch((error) => process.stderr.write(`${tool}: ${error}\n`))
}
// Skills that are only listed must not have been read.
for (const skill of scenario === 'sep-2640-client-no-prefetch' ? [] : Object.values(app.mcp.skills().judge ?? {})) {
  const { agent_id } = await app.skills.spawn({})
  const read = (/** @type {object} */ parameters) => app.skills.run(agent_id, skill, { ...parameters })
  await read({})
    .then(async ({ resources }) => {
      for (const resource of resources) await read({ resource })
    })
    .catch((error) => process.stderr.write(`${skill}: ${error}\n`))
}
await app.close()
