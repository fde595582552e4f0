import { MinionsError } from '@minions/core'
import { definePlugin, pluginRef } from '@minions/core/plugin'
import { createMinions } from '@minions/host'
import { expect, onTestFinished, test } from 'vitest'
import { createHandler, defineRoutes, httpRoutes, type MountedRoutes, server } from '../src/index.js'
import { json } from './support/app.js'

const echoRef = pluginRef<{ greet(name: string): string }>()('@acme/echo', 'echo')

const protocol = defineRoutes({
  path: '/mcp',
  deps: { echo: echoRef },
  maxBodyBytes: 100,
  async handle(request, { echo }, context) {
    const { pathname } = new URL(request.url)
    if (pathname === '/mcp/refuse') throw new MinionsError('VALIDATION_FAILED', 'Not like this.')
    if (pathname === '/mcp/break') throw new Error('a secret of the inside')
    if (request.method === 'POST') return Response.json(await context.run('objects.create', await request.json()))
    return Response.json({
      greeting: echo.greet(context.caller?.by ?? 'stranger'),
      pathname,
      operations: context.operations().map(({ name }) => name),
    })
  },
})

const page = defineRoutes({
  path: '/',
  access: 'public',
  handle: (_request, _deps, { caller }) =>
    new Response(`<p>${caller?.by ?? 'nobody'}</p>`, {
      headers: { 'Content-Type': 'text/html', 'Content-Security-Policy': "default-src 'self'" },
    }),
})

const deeper = defineRoutes({ path: '/api/public', handle: (request) => new Response(new URL(request.url).pathname) })

const echo = (routes: readonly MountedRoutes[]) =>
  definePlugin({
    ref: echoRef,
    version: '1.0.0',
    contributes: [[httpRoutes, routes]],
    setup: () => ({ greet: (name) => `Hello ${name}` }),
  })

async function served() {
  const app = await createMinions({ storage: 'memory:', plugins: [echo([page, protocol, deeper]), server()] })
  onTestFinished(() => app.close())
  const handler = createHandler(app)
  const { key } = await app.server.keys.create({ owner: 'ada', scopes: ['write'], namespaces: ['objects'] })
  return async (
    path: string,
    { headers = {}, ...init }: RequestInit & { headers?: object } = {},
    own: string | null = key,
  ) =>
    handler(
      new Request(`http://localhost${path}`, {
        ...init,
        headers: { ...(own && { authorization: `Bearer ${own}` }), ...headers },
      }),
    )
}

test('a plugin mounts routes with its own dependencies, behind the same keys', async () => {
  const ask = await served()
  const answer = await json(await ask('/mcp'))
  expect(answer).toMatchObject({ greeting: 'Hello ada', pathname: '/mcp' })
  expect(answer.operations).toContain('objects.create')
  expect(answer.operations).not.toContain('objects.import')
  expect(answer.operations.every((name: string) => /^(objects|runs|operations)\./.test(name))).toBe(true)
  expect((await json(await ask('/mcp/a/b'))).pathname).toBe('/mcp/a/b')
  for (const path of ['/mcp', '/mcp/a', '/api/public/x']) expect((await ask(path, {}, null)).status).toBe(401)
  for (const headers of [{ host: 'evil.example' }, { origin: 'http://evil.example' }]) {
    expect((await ask('/mcp', { headers })).status).toBe(403)
    expect((await ask('/', { headers })).status).toBe(403)
  }
})

test('routes run operations as the caller, within what the caller may do', async () => {
  const ask = await served()
  const post = (body: unknown) => ask('/mcp', { method: 'POST', body: JSON.stringify(body) })
  expect(await json(await post({ type: 'task', title: 'A' }))).toMatchObject({ createdBy: 'ada' })
  expect((await post({ type: 'task' })).status).toBe(422)
  expect((await post({ type: 'task', title: 'x'.repeat(200) })).status).toBe(413)
})

test('what routes throw becomes a problem document, and the inside stays inside', async () => {
  const ask = await served()
  expect(await json(await ask('/mcp/refuse'))).toMatchObject({ status: 422, detail: 'Not like this.' })
  const broken = await ask('/mcp/break')
  expect(broken.status).toBe(500)
  expect(await broken.text()).not.toContain('secret')
})

test('the longest path is chosen, and nothing of the server can be taken over', async () => {
  const ask = await served()
  expect(await (await ask('/api/public/traces')).text()).toBe('/api/public/traces')
  expect((await ask('/api/publicity')).status).toBe(404)
  expect((await ask('/mcpx')).status).toBe(200)
  expect(await (await ask('/any/page', {}, null)).text()).toBe('<p>nobody</p>')
  expect(await (await ask('/')).text()).toBe('<p>ada</p>')
  expect((await ask('/', {}, 'wrong')).status).toBe(401)
  expect((await ask('/api/unknown')).status).toBe(404)
  expect((await ask('/api/health', {}, null)).headers.get('content-type')).toBe('application/json')
})

test('pages keep their own policy and get the headers of the server', async () => {
  const { headers } = await (await served())('/')
  expect(headers.get('content-security-policy')).toBe("default-src 'self'")
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(headers.get('x-request-id')).toMatch(/./)
})

test.each([
  ['/api', /belongs to the server/],
  ['/api/operations', /belongs to the server/],
  ['/api/operations/objects.get', /belongs to the server/],
  ['/api/health', /belongs to the server/],
  ['mcp', /must be/],
  ['/mcp/', /must be/],
  ['/a/../b', /must be|belongs/],
  ['/:name', /must be/],
  ['/*', /must be/],
  ['', /must be/],
])('routes cannot be mounted at %j', (path, message) => {
  expect(() => defineRoutes({ path, handle: () => new Response() })).toThrow(message)
})

test('two plugins cannot mount one path', async () => {
  const otherRef = pluginRef<object>()('@acme/other', 'other')
  const other = definePlugin({
    ref: otherRef,
    version: '1.0.0',
    contributes: [[httpRoutes, [deeper]]],
    setup: () => ({}),
  })
  const list = [server(), echo([deeper]), other] as const
  await expect(createMinions({ storage: 'memory:', plugins: list })).rejects.toMatchObject({
    code: 'CONTRIBUTION_CLASH',
  })
})
