import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { definePlugin, pluginRef } from '@minions/core/plugin'
import { createMinions } from '@minions/host'
import { createHandler, server } from '@minions/server'
import { afterEach, describe, expect, it } from 'vitest'
import { type StudioPage, studio, studioPages } from '../src/index.ts'

const web = new URL('../dist/web/', import.meta.url)

let close = async () => {}
afterEach(() => close())

const key = 'a-key-for-this-test-alone-0123456789'

async function open(pages: readonly StudioPage[] = []) {
  const plugin = definePlugin({
    ref: pluginRef()('@acme/pages', 'pages'),
    version: '1.0.0',
    contributes: [[studioPages, pages]],
    setup: () => ({}),
  })
  const app = await createMinions({ storage: 'memory:', plugins: [server(), studio(), plugin] })
  close = () => app.close()
  const handler = createHandler(app, { session: { key, by: 'ada', access: ['read'] } })
  return (path: string, init?: RequestInit) => handler(new Request(`http://localhost${path}`, init))
}

describe('the files of the page', () => {
  it('are there for everyone, under a policy without anything unsafe', async () => {
    const get = await open()
    const response = await get('/studio/')
    expect(response.status).toBe(200)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(policy).not.toContain('unsafe')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const html = await response.text()
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1]
    expect(html).toContain(`nonce="${nonce}"`)
    expect(html).not.toContain('NONCE')
    const again = await get('/studio/')
    expect(again.headers.get('content-security-policy')).not.toBe(policy)
  })

  it('are kept by browsers, since their names change with them', async () => {
    const get = await open()
    const html = await (await get('/studio/objects/some-id')).text()
    const script = /src="(\/studio\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? ''
    const response = await get(script)
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(response.headers.get('cache-control')).toContain('immutable')
  })

  it('are those of the page and no others', async () => {
    const get = await open()
    expect((await get('/studio/assets/nothing.js')).status).toBe(404)
    expect((await get('/studio/assets/%2e%2e/%2e%2e/package.json')).status).toBe(404)
    expect((await get('/studio/modules/nothing.js')).status).toBe(404)
  })

  it.each(['/studio/%zz', '/studio/%', '/studio/modules/%ff.js'])('are not found under %j', async (path) => {
    const get = await open()
    expect((await get(path)).status).toBe(404)
  })
})

describe('pages of plugins', () => {
  const module = new URL('./fixtures/page.js', import.meta.url)

  it('are listed, and their modules are served', async () => {
    const get = await open([
      { id: 'notes', title: 'Notes', operation: 'objects.find' },
      { id: 'own', title: 'Own', module },
    ])
    const headers = { authorization: `Bearer ${key}` }
    const listed = await (await get('/api/operations/studio.pages', { headers })).json()
    expect(listed).toEqual([
      { id: 'notes', title: 'Notes', plugin: '@acme/pages', operation: 'objects.find' },
      { id: 'own', title: 'Own', plugin: '@acme/pages', module: '/studio/modules/own.js' },
    ])
    const response = await get('/studio/modules/own.js')
    expect(await response.text()).toBe(readFileSync(module, 'utf8'))
    expect((await get('/studio/modules/notes.js')).status).toBe(404)
  })

  it('are refused when they cannot be shown', async () => {
    await expect(open([{ id: 'No Such', title: 'x', operation: 'objects.find' }])).rejects.toThrow('sales-report')
    await expect(open([{ id: 'both', title: 'x', operation: 'a.b', module } as StudioPage])).rejects.toThrow('either')
    await expect(open([{ id: 'far', title: 'x', module: new URL('https://example.com/page.js') }])).rejects.toThrow(
      'file',
    )
  })
})

describe('the size of the scripts', () => {
  const size = (name: string) => gzipSync(readFileSync(new URL(`assets/${name}`, web))).length
  const scripts = readdirSync(new URL('assets/', web)).filter((name) => name.endsWith('.js'))

  it('is at most 170 KB for the first page', () => {
    const html = readFileSync(new URL('index.html', web), 'utf8')
    const first = [...html.matchAll(/\/studio\/assets\/([^"]+\.js)"/g)].map(([, name = '']) => name)
    expect(first.length).toBeGreaterThan(0)
    expect(first.reduce((sum, name) => sum + size(name), 0)).toBeLessThanOrEqual(170_000)
  })

  it('is at most 600 KB for all pages', () => {
    expect(scripts.reduce((sum, name) => sum + size(name), 0)).toBeLessThanOrEqual(600_000)
  })
})
