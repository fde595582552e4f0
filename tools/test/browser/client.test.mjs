// @ts-check
// The client in a page talks to a real server: of the same origin, and of another one that lets it.
import { fileURLToPath } from 'node:url'
import { definePlugin, pluginRef } from '@minions/core/plugin'
import { createMinions } from '@minions/host'
import { defineRoutes, httpRoutes, serve, server } from '@minions/server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundlers } from './bundlers.mjs'
import { executablePath, launchChromium, needsChromium, valueInPage } from './chromium.mjs'

/** @import { Browser } from 'playwright-core' */

const main = `
import { createClient, isMinionsError } from '/client.js'
const { url, key } = Object.fromEntries(new URLSearchParams(location.search))
const client = createClient({ url, key, retries: 1 })
const seen = {}
try {
  const note = await client.objects.create({ type: 'note', title: 'From a page', fields: { content: 'x' } })
  seen.author = note.createdBy
  seen.titles = []
  for await (const { title } of client.objects.find.iterate({ type: 'note' })) seen.titles.push(title)
  const run = await client.objects.count.start({})
  seen.counted = await run.result()
  seen.refused = await client.objects.get({ id: 'nowhere' }).catch((error) => isMinionsError(error, 'NOT_FOUND'))
  seen.streamed = await client.objects.count({}, { onProgress: () => {} })
} catch (error) {
  seen.error = error.code
}
globalThis.observations = seen
`

/** @type {Browser | undefined} */
let browser
/** @type {() => Promise<void>} */
let end = async () => {}

beforeAll(async () => {
  if (executablePath !== undefined) browser = await launchChromium()
})

afterAll(async () => {
  await end()
  await browser?.close()
})

/** A server whose page is the one that uses the client. @param {readonly string[]} origins */
async function start(origins) {
  const entry = fileURLToPath(new URL('../../../packages/client/src/index.ts', import.meta.url))
  const files = new Map([
    ['/', ['text/html', '<!doctype html><script type="module" src="/main.js"></script>']],
    ['/main.js', ['text/javascript', main]],
    ['/client.js', ['text/javascript', (await bundlers.esbuild?.(entry)) ?? '']],
  ])
  const page = defineRoutes({
    path: '/',
    access: 'public',
    handle(request) {
      const [type, body] = files.get(new URL(request.url).pathname) ?? []
      return new Response(body ?? '', {
        status: body === undefined ? 404 : 200,
        headers: { 'Content-Type': type ?? '' },
      })
    },
  })
  const plugin = definePlugin({
    ref: pluginRef()('@acme/page', 'page'),
    version: '1.0.0',
    contributes: [[httpRoutes, [page]]],
    setup: () => ({}),
  })
  const app = await createMinions({ storage: 'memory:', plugins: [server(), plugin] })
  const running = await serve(app, { port: 0, origins })
  const { key } = await app.server.keys.create({ owner: 'ada', scopes: ['write'] })
  const before = end
  end = async () => {
    await running.stop()
    await app.close()
    await before()
  }
  return { url: running.url, key }
}

/** What the page at one server sees of another. @param {string} origin @param {{ url: string, key: string }} target */
async function observe(origin, target) {
  const page = await /** @type {Browser} */ (browser).newPage()
  try {
    await page.goto(`${origin}/?${new URLSearchParams(target)}`)
    return await valueInPage(page, 'globalThis.observations')
  } finally {
    await page.close()
  }
}

const everything = {
  author: 'ada',
  titles: ['From a page'],
  counted: { count: 1 },
  refused: true,
  streamed: { count: 1 },
}

it.skipIf(executablePath === undefined)('a page of the server itself', needsChromium, async () => {
  const own = await start([])
  expect(await observe(own.url, own)).toEqual(everything)
})

it.skipIf(executablePath === undefined)('a page of another origin, if the server lets it', needsChromium, async () => {
  const page = await start([])
  const open = await start([page.url])
  expect(await observe(page.url, open)).toEqual(everything)
  const closed = await start([])
  expect(await observe(page.url, closed)).toEqual({ error: 'UNREACHABLE' })
})
