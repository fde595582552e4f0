import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createMinions } from '@minions/host'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../../tools/scratch-folder.js'
import { serve, server } from '../src/index.js'

type Headers = Readonly<Record<string, string>>

/** A header that makes a request take all steps and changes nothing of its answer. */
const ALL_STEPS = { 'if-none-match': '"never"' }

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
const note = fc.record({
  title: text,
  fields: fc.record({
    content: fc.oneof(
      text,
      text.map((each) => each.repeat(60)),
    ),
  }),
  tags: fc.array(text, { maxLength: 3 }),
})

const id = fc.constantFrom('a', 'b', 'c', 'none', 'ä €', 'a&id=b', '', 'x'.repeat(300))
const query = fc.oneof(
  { weight: 4, arbitrary: id.map((each) => `?id=${encodeURIComponent(each)}`) },
  fc.constantFrom('', '?', '?id', '?id=a&x=1', '?id=a&id=b', '??id=a', '?id=a#b', '?id=%zz', '?id=a+b', '?__proto__=1'),
)
const name = fc.oneof(
  { weight: 6, arbitrary: fc.constant('objects.get') },
  fc.constantFrom('objects.getRecord', 'objects.gat', 'objects.delete', 'objects%2Eget', 'objects.get/x', 'types.list'),
)
const headers: fc.Arbitrary<Headers> = fc
  .subarray<readonly [string, string]>(
    [
      ['accept-encoding', 'gzip'],
      ['authorization', 'Bearer mk_0123456789abcdef_0123456789012345678901234567890123456789012'],
      ['host', 'evil.example'],
      ['host', 'localhost'],
      ['minions-tenant', 'acme'],
      ['origin', 'https://evil.example'],
      ['sec-fetch-site', 'cross-site'],
      ['prefer', 'wait=1'],
    ],
    { maxLength: 2 },
  )
  .map((chosen) => Object.fromEntries(chosen))
const asked = fc.record({ name, query, headers })

async function started(storage: string) {
  const app = await createMinions({ storage, plugins: [server()] })
  const running = await serve(app, { port: 0, failureLimit: false, rateLimit: false })
  onTestFinished(async () => {
    await running.stop()
    await app.close()
  })
  const { key } = await app.server.keys.create({ owner: 'ada', scopes: ['admin'] })
  const send = (path: string, own: Headers) =>
    new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
      const all = { authorization: `Bearer ${key}`, ...own }
      const asking = request({ port: running.port, host: '127.0.0.1', path, headers: all }, async (answer) => {
        const body = Buffer.concat(await answer.toArray())
        const { date: _date, 'x-request-id': requestId, ...rest } = answer.headers
        expect(requestId).toMatch(/^[\w-]{36}$/)
        const plain = rest['content-encoding'] === 'gzip' ? gunzipSync(body) : body
        const shown = plain.toString().replace(/urn:minions:request:[\w-]+/, '')
        resolve({ status: answer.statusCode ?? 0, headers: rest, body: shown })
      })
      asking.on('error', reject)
      asking.end()
    })
  return { app, send }
}

test.each(['memory:', 'sqlite::memory:', 'sqlite:'])(
  'on %s, random reads are answered like those that take all steps',
  async (kind) => {
    const folder = mkdtempSync(join(scratchFolder, 'minions-plain-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const { app, send } = await started(kind === 'sqlite:' ? `sqlite:${join(folder, 's.db')}` : kind)
    const property = fc.asyncProperty(
      fc.array(note, { maxLength: 3 }),
      fc.array(asked, { maxLength: 6 }),
      async (notes, requests) => {
        for (const [index, each] of notes.entries()) {
          const id = 'abc'[index] ?? ''
          if (await app.get(id)) await app.update(id, each)
          else await app.create('note', { id, ...each })
        }
        for (const each of requests) {
          const path = `/api/operations/${each.name}${each.query}`
          const plain = await send(path, each.headers)
          const whole = await send(path, { ...each.headers, ...ALL_STEPS })
          expect(plain, JSON.stringify(each)).toEqual(whole)
          if (plain.status !== 200 || each.name !== 'objects.get') continue
          const { id } = JSON.parse(plain.body)
          const body = JSON.stringify(await app.get(id))
          const etag = `"${createHash('sha1').update(body).digest('base64url')}"`
          expect([plain.body, String(plain.headers.etag).replace(/^W\//, '')]).toEqual([body, etag])
        }
      },
    )
    await fc.assert(property, { numRuns: 60 })
  },
)
