import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { BIN, Minions } from './support/minions.js'

/** Starts `minions serve` and resolves when it says where it listens. */
async function started(
  minions: Minions,
  args: readonly string[] = [],
): Promise<{ url: string; process: ChildProcess }> {
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', MINIONS_HOME: minions.home }
  const child = spawn(process.execPath, [BIN, 'serve', '--port', '0', ...args], { env, cwd: minions.home })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    output += chunk
    const url = /http:\S+/.exec(output)?.[0]
    if (url !== undefined) return { url, process: child }
  }
  throw new Error(`minions serve did not start: ${output}`)
}

function call(url: string, key: string | undefined, name: string, input: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
  return fetch(`${url}/api/operations/${name}`, { method: 'POST', headers, body: JSON.stringify(input) })
}

it('serves the store that other commands use, and stops when it is told to', async () => {
  const minions = new Minions()
  const { stdout } = await minions.here(['keys', 'create', '--owner', 'ada', '--scope', 'write'])
  const key = stdout.trim()
  const { url, process: child } = await started(minions)
  const note = { type: 'note', title: 'Served', fields: { content: 'x' } }
  const created = (await (await call(url, key, 'objects.create', note)).json()) as { id: string }
  expect(created).toMatchObject({ createdBy: 'ada' })
  expect(await minions.json(['get', created.id])).toMatchObject({ title: 'Served' })
  expect((await call(url, undefined, 'objects.count', {})).status).toBe(401)
  await minions.here(['keys', 'revoke', '--owner', 'ada', '--yes'])
  expect((await call(url, key, 'objects.count', {})).status).toBe(401)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

it('needs no key on this machine when that is asked for, and refuses it elsewhere', async () => {
  const minions = new Minions()
  const { url } = await started(minions, ['--without-key', '--allow-origin', 'http://studio.example'])
  expect(await (await call(url, undefined, 'objects.count', {})).json()).toEqual({ count: 0 })
  const preflight = {
    method: 'OPTIONS',
    headers: { origin: 'http://studio.example', 'access-control-request-method': 'POST' },
  }
  expect((await fetch(`${url}/api/operations/objects.count`, preflight)).status).toBe(204)
  const outcome = await minions.here(['serve', '--port', '0', '--host', '0.0.0.0', '--without-key'])
  expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining('127.0.0.1 only') })
})

it('prints a key alone, and lists keys without secrets', async () => {
  const minions = new Minions()
  const created = await minions.here(['keys', 'create', '--owner', 'ada'])
  expect(created.stdout).toMatch(/^mk_[0-9a-f]{16}_[\w-]{43}\n$/)
  expect(created.stderr).toContain('only once')
  const listed = await minions.here(['keys', 'list'])
  expect(listed.stdout).toContain('ada')
  expect(listed.stdout).not.toContain(created.stdout.trim().slice(-20))
  expect(await minions.here(['keys', 'revoke'])).toMatchObject({ code: 2 })
  expect(await minions.here(['keys', 'create', '--owner', 'ada', '--scope', 'all'])).toMatchObject({ code: 1 })
})
