import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../../tools/free-port.mjs'
import { minions, ServedProcess } from '../../../tools/torture/server/served-process.mjs'
import { BIN, Minions } from './support/minions.js'

const exec = promisify(execFile)
const has = (command: string) => spawnSync(command, ['--version']).status === 0

it.skipIf(!has('python3'))(
  'a program in another language needs nothing but the OpenAPI document',
  { timeout: 120_000, meta: { needs: 'Python: install python3' } },
  async () => {
    const { home } = new Minions()
    const options = { home, storage: `sqlite:${join(home, 'store.db')}` }
    const MINIONS_KEY = await minions(options, ['keys', 'create', '--owner', 'ada', '--scope', 'write'])
    const server = await ServedProcess.start(options)
    onTestFinished(() => void server.end())
    const script = fileURLToPath(new URL('../../../examples/five_minutes.py', import.meta.url))
    const env = { ...process.env, MINIONS_URL: server.url, MINIONS_KEY }
    const { stdout } = await exec('python3', [script], { env })
    const [count, ...lines] = stdout.trim().split('\n')
    expect(Number.parseInt(count ?? '', 10)).toBeGreaterThan(100)
    expect(lines).toEqual([
      'created Plants by ada',
      'got Water them.',
      'found 1',
      'rendered Hello Ada!',
      'once True 2',
      'updated Garden',
      // The title is the one that the note has when the event is heard.
      'heard put Garden',
      'heard put Once',
      'heard put Garden',
      'refused NOT_FOUND',
    ])
  },
)

it.skipIf(!has('curl') || !has('bash'))(
  'the five minutes of the README of the server work when they are pasted',
  { timeout: 120_000, meta: { needs: 'curl and bash: install them' } },
  async () => {
    const { home } = new Minions()
    const readme = readFileSync(new URL('../../server/README.md', import.meta.url), 'utf8')
    const [, block = ''] = /^## Five minutes[\s\S]*?^```sh\n([\s\S]*?)^```$/m.exec(readme) ?? []
    const commands = block.replace(/^npm install .*$/m, '').replaceAll('4747', String(await freePort()))
    const script = `set -m; npx() { shift; "${process.execPath}" "${BIN}" "$@"; }\n${commands}`
    const { stdout } = await exec('bash', ['-c', script], { cwd: home, env: { ...process.env, MINIONS_HOME: home } })
    expect(stdout).toContain('"status":"ready"')
    expect(stdout).toContain('"createdBy":"ada"')
    expect(stdout).toContain('"items":[{')
    expect(stdout).toContain('"text":"Hello Ada!"')
    expect(stdout).toMatch(/event: change\ndata: .*"title":"Plants"/)
  },
)
