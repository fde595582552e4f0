import { LangfuseClient } from '@langfuse/client'
import { memoryStorage } from '@minions/core/memory'
import { exporters } from '@minions/exporters'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import { serve, server } from '@minions/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { langfuse } from '../src/index.js'

const open = () => createMinions({ storage: memoryStorage(), plugins: [prompts(), exporters(), server(), langfuse()] })
let app: Awaited<ReturnType<typeof open>>
let running: Awaited<ReturnType<typeof serve>>
let client: LangfuseClient
let key: string

beforeAll(async () => {
  app = await open()
  running = await serve(app, { port: 0 })
  key = (await app.server.keys.create({ owner: 'ada', scopes: ['read'] })).key
  client = new LangfuseClient({ baseUrl: running.url, publicKey: 'minions', secretKey: key })
  await app.prompts.create({ title: 'Tone', content: 'Be {{style}}.' })
  await app.prompts.create({
    title: 'Text',
    name: 'team/text',
    content: 'Zero {{name}} \\{{ {{> tone}}',
    tags: ['crm'],
  })
  for (let version = 1; version < 10; version++) {
    await app.prompts.addVersion('team/text', {
      content: `Version ${version} for {{name}}`,
      changelog: `Change ${version}`,
    })
  }
  await app.prompts.labels.set('team/text', 'staging', 4)
  await app.prompts.create({
    title: 'Chat',
    messages: [
      { role: 'system', content: 'Help {{name}}.' },
      { placeholder: 'history' },
      { role: 'user', content: '{{question}}' },
    ],
    settings: { model: 'large-3', temperature: 0.2 },
  })
})

afterAll(async () => {
  await running.stop()
  await app.close()
})

it('answers 50 calls of the real client', async () => {
  const values = { name: 'Ada & {{x}}', style: 'kind', question: 'Why?' }
  let calls = 0
  const get = async (name: string, options = {}) => {
    calls += 1
    return client.prompt.get(name, { cacheTtlSeconds: 0, ...options })
  }
  for (let round = 0; round < 2; round++) {
    const published = await get('team/text')
    expect(published).toMatchObject({
      name: 'team/text',
      version: 0,
      type: 'text',
      tags: ['crm'],
      labels: ['production'],
    })
    expect(published.compile(values)).toBe(await app.prompts.render('team/text', values))
    for (let version = 0; version < 10; version++) {
      const prompt = await get('team/text', { version })
      expect(prompt.compile(values)).toBe(await app.prompts.render({ prompt: 'team/text', version }, values))
    }
    expect(await get('team/text', { label: 'staging' })).toMatchObject({
      version: 4,
      commitMessage: 'Change 4',
      labels: ['staging'],
    })
    expect(await get('team/text', { label: 'latest' })).toMatchObject({ version: 9, labels: ['latest'] })
    for (let index = 0; index < 11; index++) {
      const chat = await get('chat', { type: 'chat', label: 'production' })
      expect(chat.config).toEqual({ model: 'large-3', temperature: 0.2 })
      const history = [{ role: 'user', content: `Hi ${index}` }]
      expect(chat.compile(values, { history })).toEqual(
        await app.prompts.renderMessages('chat', { ...values, history }),
      )
    }
    await expect(get('nothing-here')).rejects.toThrow()
  }
  expect(calls).toBe(50)
})

it('follows a label that is moved', async () => {
  await app.prompts.labels.set('team/text', 'canary', 1)
  const version = async () => (await client.prompt.get('team/text', { label: 'canary', cacheTtlSeconds: 0 })).version
  expect(await version()).toBe(1)
  await app.prompts.labels.set('team/text', 'canary', 2)
  expect(await version()).toBe(2)
})

it('gives fallbacks of the client a reason, and nothing to those without a key', async () => {
  const fallback = await client.prompt.get('missing', { fallback: 'plain', cacheTtlSeconds: 0 })
  expect([fallback.isFallback, fallback.prompt]).toEqual([true, 'plain'])
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${running.url}/api/public/v2/prompts${path}`, {
      headers: { authorization: `Basic ${btoa(`minions:${key}`)}` },
      ...init,
    })
  expect((await ask('/chat', { headers: {} })).status).toBe(401)
  expect((await ask('/chat?version=x')).status).toBe(404)
  expect((await ask('/chat?label=nope')).status).toBe(404)
  expect((await ask('/%zz')).status).toBe(404)
  expect((await ask('')).status).toBe(404)
  expect(
    (await ask('/chat', { method: 'POST', headers: { authorization: `Basic ${btoa(`minions:${key}`)}` } })).status,
  ).toBe(405)
  await app.prompts.create({ title: 'Blocks', content: '{{#if x}}a{{/if}}' })
  const refused = await ask('/blocks')
  expect([refused.status, await refused.text()]).toEqual([
    expect.any(Number),
    expect.stringContaining('EXPORT_UNSUPPORTED'),
  ])
  expect(refused.ok).toBe(false)
})
