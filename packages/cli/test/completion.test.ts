import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BIN, filled, Minions } from './support/minions.js'

/** What the command answers to a shell: the values, without the descriptions and the directive at the end. */
async function completed(minions: Minions, words: readonly string[]): Promise<string[]> {
  const { code, stdout, stderr } = await minions.here(['complete', '--', ...words])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = stdout.trimEnd().split('\n')
  expect(lines.pop()).toBe(':4')
  return lines.map((line) => line.split('\t')[0] ?? '')
}

/** Presses Tab behind `line` in a Bash that has read the script, and returns what Bash offers. */
function offeredByBash(minions: Minions, line: string): string[] {
  mkdirSync(minions.path('bin'), { recursive: true })
  writeFileSync(minions.path('bin', 'run.sh'), `#!/bin/sh\nexec '${process.execPath}' '${BIN}' "$@"\n`, { mode: 0o755 })
  symlinkSync(minions.path('bin', 'run.sh'), minions.path('bin', 'minions'))
  const program = `
    script=$(minions completion bash) && eval "$script" && eval "$script" || exit 3
    read -ra COMP_WORDS <<<"$1"
    [[ $1 == *' ' ]] && COMP_WORDS+=('')
    COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    __minions_complete 2>/dev/null
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const path = `${minions.path('bin')}${delimiter}${process.env.PATH}`
  const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-c', program, 'bash', line], {
    encoding: 'utf8',
    env: { PATH: path, HOME: minions.home, MINIONS_HOME: minions.home },
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout.trimEnd().split('\n')
}

describe('completion', () => {
  it('offers commands, commands below them, and options', async () => {
    const minions = new Minions()
    expect(await completed(minions, ['do'])).toEqual(['doctor'])
    expect(await completed(minions, ['types', ''])).toEqual(
      expect.arrayContaining(['list', 'show', 'create', 'evolve']),
    )
    expect(await completed(minions, ['list', '--st'])).toEqual(['--status', '--storage'])
    expect(await completed(minions, ['list', '--status', 'to'])).toEqual(['todo'])
    expect(await completed(minions, ['completion', ''])).toEqual(['bash', 'zsh', 'fish', 'powershell'])
  })

  it('offers commands of operations', async () => {
    expect(await completed(new Minions(), ['objects', 'create'])).toEqual(['create', 'create-many'])
  })

  it('offers types and minions of the store', async () => {
    const minions = await filled()
    const { id } = await minions.json([
      'types',
      'create',
      '--slug',
      'book',
      '--name',
      'Book',
      '--field',
      'author:string',
    ])
    expect(id).toBeDefined()
    expect(await completed(minions, ['create', 'bo'])).toEqual(['book'])
    expect(await completed(minions, ['list', '--type', 'bo'])).toEqual(['book'])
    const ids = (await minions.json(['list'])).map((minion: { id: string }) => minion.id)
    expect((await completed(minions, ['get', ''])).sort()).toEqual(ids.sort())
    expect(await completed(minions, ['get', ids[0].slice(0, -1)])).toEqual([ids[0]])
  })

  it('offers what it knows where there is no store, and creates none', async () => {
    const minions = new Minions()
    expect(await completed(minions, ['--storage', 'sqlite:./none.db', 'create', 'no'])).toEqual(['note'])
    expect(await completed(minions, ['get', ''])).toEqual([])
    expect(await minions.here(['list', '--storage', 'sqlite:./none.db'])).toMatchObject({ code: 1 })
  })

  it.each(['bash', 'zsh', 'fish', 'powershell'])('prints a script for %s that asks the command', async (shell) => {
    const { code, stdout } = await new Minions().here(['completion', shell])
    expect(code).toBe(0)
    expect(stdout).toMatch(/minions complete '?--/)
  })

  it('refuses a shell that it does not know', async () => {
    const { code, stderr } = await new Minions().here(['completion', 'tcsh'])
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('Allowed choices are bash') })
  })

  it.skipIf(process.platform === 'win32')('works in Bash, with and without what stands before the cursor', () => {
    expect(offeredByBash(new Minions(), 'minions types ev')).toEqual(['evolve'])
    expect(offeredByBash(new Minions(), 'minions completion ')).toEqual(['bash', 'zsh', 'fish', 'powershell'])
  })
})
