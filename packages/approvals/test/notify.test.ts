import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { definePlugin, pluginRef } from '@minions/core/plugin'
import { createMinions } from '@minions/host'
import { afterEach, describe, expect, test } from 'vitest'
import { approvalNotifiers, approvals, signWebhook, verifyWebhook, webhook } from '../src/index.ts'
import { createApp, rules, search } from './support/app.ts'
import { ManualTime } from './support/manual-time.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const closers: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A receiver that answers with these statuses, one after the other, and with 204 when there are no more. */
async function receiver(...statuses: number[]) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ headers: request.headers, body })
    response.writeHead(statuses.shift() ?? 204, { location: 'http://127.0.0.1:1/' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => new Promise((resolve) => server.close(resolve)))
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?key=1` }
}

describe('a webhook', () => {
  test('is told of what happens, signed, and without the arguments', async () => {
    const { received, url } = await receiver()
    const app = await createApp({ notifiers: [webhook({ url, secret })] })
    closers.push(() => app.close())
    const { approval_id } = await app.approvals.ask(search('confidential'), 'x')
    await expect.poll(() => received.length).toBe(1)
    await app.approvals.approve(approval_id, { by: 'ada' })
    await expect.poll(() => received.length).toBe(2)
    const [asked, approved] = received.map(({ body }) => JSON.parse(body))
    expect(asked).toMatchObject({
      type: 'approval.asked',
      data: { by: 'agent', approval: { approval_id, status: 'pending' } },
    })
    expect(approved).toMatchObject({ type: 'approval.approved', data: { by: 'ada', approval: { decided_by: 'ada' } } })
    expect(received[0]?.body).not.toContain('confidential')
    for (const { headers, body } of received) {
      verifyWebhook(secret, headers as Record<string, string>, body)
      expect(() => verifyWebhook(secret, headers as Record<string, string>, `${body} `)).toThrow('signed')
      expect(() => verifyWebhook('another secret of some length', headers as Record<string, string>, body)).toThrow()
    }
  })

  test('that refuses, or leads elsewhere, is told again under the same id, later and later', async () => {
    const { received, url } = await receiver(500, 302, 204)
    const time = new ManualTime()
    const app = await createApp({ notifiers: [webhook({ url, secret })], clock: time.clock, timers: time.timers })
    closers.push(() => app.close())
    await app.approvals.ask(search('a'), 'x')
    await expect.poll(() => received.length).toBe(1)
    await app.approvals.settle()
    time.advance(999)
    await app.approvals.settle()
    expect(received).toHaveLength(1)
    time.advance(1)
    await expect.poll(() => received.length).toBe(2)
    await app.approvals.settle()
    time.advance(2000)
    await expect.poll(() => received.length).toBe(3)
    await app.approvals.settle()
    time.advance(1_000_000)
    await app.approvals.settle()
    expect(received).toHaveLength(3)
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('hears after a restart of what it missed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'minions-approvals-'))
    closers.push(() => rmSync(folder, { recursive: true, force: true }))
    const storage = `sqlite:${join(folder, 'a.db')}`
    const { received, url } = await receiver(503)
    const notifiers = [webhook({ url, secret, name: 'hook' })]
    const first = await createApp({ storage, notifiers })
    await first.approvals.ask(search('a'), 'x')
    await expect.poll(() => received.length).toBe(1)
    await first.close()
    const second = await createApp({ storage, notifiers })
    closers.push(() => second.close())
    await expect.poll(() => received.length, { timeout: 20_000 }).toBe(2)
    expect(JSON.parse(received[1]?.body ?? '')).toMatchObject({ type: 'approval.asked' })
  })

  test.each([
    ['another protocol', { url: 'file:///etc/passwd', secret }],
    ['no address', { url: 'nowhere', secret }],
    ['a short secret', { url: 'https://example.com', secret: 'short' }],
  ])('with %s is refused', (_, options) => {
    expect(() => webhook(options)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  test('is signed as the specification of Standard Webhooks says', () => {
    // The example of the specification.
    const headers = signWebhook(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, '{"test": 2432232314}')
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
    const old = () => verifyWebhook(secret, { ...headers }, '{"test": 2432232314}')
    expect(old).toThrow(expect.objectContaining({ code: 'SIGNATURE_INVALID' }))
    verifyWebhook(secret, { ...headers }, '{"test": 2432232314}', { now: 1614265331 })
  })
})

test('plugins contribute notifiers', async () => {
  const told: string[] = []
  const chat = definePlugin({
    ref: pluginRef<object>()('acme-chat', 'chat'),
    version: '1.0.0',
    contributes: [
      [
        approvalNotifiers,
        [{ name: 'chat', notify: ({ event, approval }) => void told.push(`${event} ${approval.call.name}`) }],
      ],
    ],
    setup: () => ({}),
  })
  const app = await createMinions({ storage: 'memory:', plugins: [chat, approvals({ rules })] })
  closers.push(() => app.close())
  const { approval_id } = await app.approvals.ask(search('a'), 'x')
  await app.approvals.reject(approval_id, { by: 'ada' })
  await expect.poll(() => told).toEqual(['asked search', 'rejected search'])
})
