import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { served } from './support/served.js'

const script = fileURLToPath(new URL('support/runtime-script.mjs', import.meta.url))
const dist = new URL('../dist/index.js', import.meta.url).href

/** Where a program is, if it is on the path. */
function find(program: string): string | undefined {
  const candidates = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, program))
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

describe.each([
  ['node', process.execPath, []],
  ['deno', find('deno'), ['run', '--allow-all', '--no-config']],
  ['bun', find('bun'), []],
] as const)('%s', (name, program, args) => {
  it.skipIf(program === undefined)(
    'runs the client as it is built',
    { meta: { needs: `${name}: install it, on the PATH (npm has it)` } },
    async () => {
      const { url, key } = await served()
      const { stdout } = await promisify(execFile)(program ?? '', [...args, script, dist, url, key])
      expect(JSON.parse(stdout)).toEqual({
        author: 'ada',
        items: ['Plants'],
        refused: true,
        progress: [0, 1, 2],
        walked: 3,
        run: 2,
      })
    },
  )
})
