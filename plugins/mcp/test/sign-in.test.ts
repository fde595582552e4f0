import { definePlugin, pluginRef } from '@minions/core/plugin'
import { createMinions } from '@minions/host'
import { defineRoutes, httpRoutes, serve, server } from '@minions/server'
import { skills } from '@minions/skills-runtime'
import { expect, it, onTestFinished } from 'vitest'
import { mcp, type SignedIn, type SignInOptions } from '../src/index.ts'
import { untilConnected } from './support/until-connected.ts'

const REDIRECT = 'http://localhost:9/callback'

/** A server whose keys are given to those who sign in at its own authorization server, by the code flow with PKCE. */
async function guardedServer() {
  const seen = { registered: 0, authorized: 0, tokens: 0, wrongVerifiers: 0 }
  const challenges = new Map<string, string>()
  const digest = async (text: string) =>
    Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('base64url')
  const answer = async (request: Request): Promise<Response> => {
    const { origin, pathname, searchParams } = new URL(request.url)
    switch (pathname) {
      case '/.well-known/oauth-protected-resource/mcp':
        return Response.json({ resource: `${origin}/mcp`, authorization_servers: [origin] })
      case '/.well-known/oauth-authorization-server':
        return Response.json({
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
        })
      case '/register':
        seen.registered += 1
        return Response.json({ ...((await request.json()) as object), client_id: 'minions' }, { status: 201 })
      case '/authorize': {
        const code = `code-${++seen.authorized}`
        challenges.set(code, searchParams.get('code_challenge') ?? '')
        const back = new URL(searchParams.get('redirect_uri') ?? '')
        back.search = String(new URLSearchParams({ code, state: searchParams.get('state') ?? '' }))
        return new Response(null, { status: 302, headers: { location: back.href } })
      }
      case '/token': {
        const form = new URLSearchParams(await request.text())
        seen.tokens += 1
        const challenge = challenges.get(form.get('code') ?? '')
        if ((await digest(form.get('code_verifier') ?? '')) !== challenge) seen.wrongVerifiers += 1
        return Response.json({ access_token: token, token_type: 'Bearer' })
      }
      default:
        return new Response(null, { status: 404 })
    }
  }
  const authorization = definePlugin({
    ref: pluginRef<object>()('@acme/authorization', 'authorization'),
    version: '1.0.0',
    contributes: [[httpRoutes, [defineRoutes({ path: '/', access: 'public', handle: answer })]]],
    setup: () => ({}),
  })
  const app = await createMinions({ storage: 'memory:', plugins: [server(), mcp(), authorization] })
  const { key: token } = await app.server.keys.create({ owner: 'ada', scopes: ['read'] })
  const running = await serve(app, { port: 0, failureLimit: false })
  onTestFinished(async () => {
    await running.stop()
    await app.close()
  })
  return { url: `http://localhost:${running.port}/mcp`, seen }
}

async function opened(url: string, signIn: SignInOptions) {
  const app = await createMinions({
    storage: 'memory:',
    plugins: [skills(), mcp({ servers: { crm: { url, signIn } } })],
  })
  onTestFinished(() => app.close())
  return app
}

/** Does what a browser does whose person is known at the page. */
async function authorize(page: URL): Promise<string> {
  const { headers } = await fetch(page, { redirect: 'manual' })
  return headers.get('location') ?? ''
}

it('has a person sign in, and keeps that where it is told to', async () => {
  const { url, seen } = await guardedServer()
  let kept: SignedIn | undefined
  const store = {
    load: async () => kept,
    save: async (signedIn: SignedIn) => {
      kept = JSON.parse(JSON.stringify(signedIn))
    },
  }
  const first = await opened(url, { authorize, redirectUrl: REDIRECT, store })
  await untilConnected(first, ['crm'])
  expect(first.mcp.tools().crm).toMatchObject({ objects_count: 'crm-objects-count' })
  const { agent_id } = await first.skills.spawn({})
  expect(await first.skills.run(agent_id, 'crm-objects-count', {})).toEqual({ count: 0 })
  expect(seen).toEqual({ registered: 1, authorized: 1, tokens: 1, wrongVerifiers: 0 })

  const second = await opened(url, { authorize, redirectUrl: REDIRECT, store })
  await untilConnected(second, ['crm'])
  expect(second.mcp.tools().crm).toMatchObject({ objects_count: 'crm-objects-count' })
  expect(seen).toMatchObject({ registered: 1, authorized: 1 })
})

it('takes no answer that belongs to another request, and shows the page once to a person who does not sign in', async () => {
  const { url, seen } = await guardedServer()
  let shown = 0
  const forged = await opened(url, {
    redirectUrl: REDIRECT,
    authorize: async (page) => {
      shown += 1
      const back = new URL(await authorize(page))
      back.searchParams.set('state', 'of-another')
      return back
    },
  })
  await expect.poll(() => shown).toBe(1)
  expect(forged.mcp.tools().crm).toEqual({})
  expect([shown, seen.tokens]).toEqual([1, 0])
})

it('refuses options that cannot work before anything is opened', async () => {
  const signIn = { authorize, redirectUrl: 'nowhere' }
  await expect(opened('https://crm.example/mcp', signIn)).rejects.toMatchObject({ code: expect.any(String) })
})
