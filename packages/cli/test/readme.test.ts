import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { BIN, Minions } from './support/minions.js'

const exec = promisify(execFile)

/** The command lines of a document, in order, as a reader would type them; without those for a plugin yet to be made. */
function commandsOf(document: string): string[] {
  const text = readFileSync(new URL(document, import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  return blocks
    .flatMap((block) => block.split('\n'))
    .filter((line) => line.startsWith('npx minions ') && !line.includes('--plugin '))
}

describe.each(['../README.md', '../../../README.md', '../../../docs/guide/terminal.md'])('%s', (document) => {
  it('shows commands that work line by line', { timeout: 180_000 }, async () => {
    const minions = new Minions()
    const commands = commandsOf(document)
    expect(commands).not.toEqual([])
    for (const command of commands) {
      const script = `npx() { shift; "${process.execPath}" "${BIN}" "$@"; }; ${command}`
      const env = { ...process.env, MINIONS_HOME: minions.home }
      const { stdout } = await exec('sh', ['-c', script], { cwd: minions.home, env })
      expect(stdout, command).not.toBe('')
    }
  })
})

describe('examples', () => {
  it.each([['picture.mjs', '--check'], ['tour.mjs']])(
    '%s runs and finds nothing out of date',
    async (name, ...args) => {
      const file = fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url))
      await exec(process.execPath, [file, ...args])
    },
  )
})
