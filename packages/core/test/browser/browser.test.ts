import { accessSync, constants } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { build } from 'vite'
import { afterAll, describe, expect, it } from 'vitest'
import type { Observations } from './page.js'

const executablePath = findChromium()
const needsChromium = { meta: { needs: 'Chromium: install it, on the PATH' } }
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

describe('core in a browser', () => {
  let browser: Browser | undefined
  let server: Server | undefined

  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  it.skipIf(executablePath === undefined)('runs where code generation is forbidden', needsChromium, async () => {
    server = serve(await bundle())
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
    browser = await chromium.launch({ executablePath: executablePath as string, headless: true, args: quiet })
    const page = await browser.newPage()
    const failures: string[] = []
    page.on('pageerror', (error) => failures.push(error.message))
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await page.waitForFunction('globalThis.observations !== undefined')
    const seen = (await page.evaluate('globalThis.observations')) as Observations

    expect(failures).toEqual([])
    expect(seen).toMatchObject({
      codeGeneration: 'EvalError',
      created: { valid: true, status: 'active', fields: { code: 'AB-1', mail: 'a@example.org', state: 'open' } },
      updated: { valid: true, fields: { code: 'AB-1', mail: 'a@example.org', state: 'closed' } },
      hostile: false,
      registered: 'ALREADY_REGISTERED',
      tree: ['b', 'c'],
      cycles: [],
      events: ['First'],
      execution: ['failed', 'no network'],
      mermaid: 'flowchart TB\n  n0["#quot;x#quot;"]\n  n1["b"]\n  n0 --> n1\n',
      dot: 'digraph {\n  rankdir=TB\n  node [shape=box]\n  n0 [label="\\"x\\""]\n  n1 [label="b"]\n  n0 -> n1\n}\n',
    })
    expect(seen.created.id).toMatch(/^[0-9a-f-]{36}$/)
    expect(seen.rejected.map((error) => error.split(' ')[0])).toEqual(['code', 'state'])
  })
})

function findChromium(): string | undefined {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  const candidates = folders.flatMap((folder) =>
    ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)),
  )
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Bundles the page and all of core from source, as an application's bundler would. */
async function bundle(): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    root: fileURLToPath(new URL('.', import.meta.url)),
    build: {
      write: false,
      minify: false,
      target: 'es2023',
      modulePreload: false,
      rolldownOptions: { input: fileURLToPath(new URL('page.ts', import.meta.url)) },
    },
  })
  const chunks = [output].flat().flatMap((result) => ('output' in result ? result.output : []))
  expect(chunks).toHaveLength(1)
  return chunks.map((chunk) => (chunk.type === 'chunk' ? chunk.code : '')).join('')
}

function serve(script: string): Server {
  return createServer((request, response) => {
    response.setHeader('Content-Security-Policy', "default-src 'none'; script-src 'self'")
    if (request.url === '/') {
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      response.end('<!doctype html><title>core</title><script type="module" src="/page.js"></script>')
    } else if (request.url === '/page.js') {
      response.setHeader('Content-Type', 'text/javascript; charset=utf-8')
      response.end(script)
    } else {
      response.writeHead(404).end()
    }
  })
}
