import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { BIN, Minions } from './support/minions.js'

/** Starts `minions studio` and resolves to what it prints first. */
async function started(minions: Minions, args: readonly string[] = []) {
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', MINIONS_HOME: minions.home }
  const child = spawn(process.execPath, [BIN, 'studio', '--json', ...args], { env, cwd: minions.home })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    output += chunk
    if (output.trimEnd().endsWith('}')) break
  }
  const { url, storage } = JSON.parse(output) as { url: string; storage: string }
  const key = new URL(url).hash.slice('#key='.length)
  const call = (name: string, input: object, own = key) =>
    fetch(new URL(`/api/operations/${name}`, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${own}` },
      body: JSON.stringify(input),
    })
  return { child, url, storage, call }
}

it('opens a page on a store, for this machine, with a key that ends with it', async () => {
  const minions = new Minions()
  const { child, url, storage, call } = await started(minions, ['sqlite:./here.db'])
  expect(storage).toMatch(/^sqlite:.*here\.db$/)
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/studio\/#key=[\w-]{43}$/)
  expect((await fetch(url)).headers.get('content-type')).toBe('text/html; charset=utf-8')
  const note = { type: 'note', id: 'note-1', title: 'Seen', fields: { content: 'x' } }
  expect((await call('objects.create', note)).status).toBe(200)
  expect((await call('objects.count', {}, 'another-key-that-is-long-enough-0123')).status).toBe(401)
  expect(await (await call('audit.history', { id: 'note-1' })).json()).toMatchObject([{ kind: 'created' }])
  expect(await (await call('store.diagnose', {})).json()).toEqual({ findings: [], more: false })
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(await minions.json(['keys', 'list', '--storage', 'sqlite:./here.db'])).toEqual([])
})

it('shows without letting anything be changed', async () => {
  const { call } = await started(new Minions(), ['--read-only'])
  expect((await call('objects.count', {})).status).toBe(200)
  expect((await call('objects.create', { type: 'note', title: 'No' })).status).toBe(403)
})
