import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Minions } from './support/minions.js'

function withFiles(files: Record<string, string>): Minions {
  const minions = new Minions()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(minions.path(path)), { recursive: true })
    writeFileSync(minions.path(path), text)
  }
  return minions
}

const GREET = '---\nname: greet\ndescription: Greets people. Use it for greetings.\n---\nSay hello.\n'

describe('folders of the Agent Skills standard', () => {
  it('are judged one by one, and the exit code says whether all are valid', async () => {
    const minions = withFiles({
      '.claude/skills/greet/SKILL.md': GREET,
      '.claude/skills/wrong/SKILL.md': GREET,
    })
    const { code, stdout } = await minions.here(['skills', 'validate', '.claude/skills', '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject([
      { folder: '.claude/skills/greet', valid: true, problems: [] },
      { folder: '.claude/skills/wrong', valid: false, problems: [{ pointer: '/name', code: 'FOLDER_NAME' }] },
    ])
    expect((await minions.here(['skills', 'validate', '.claude/skills/greet'])).code).toBe(0)
    expect((await minions.here(['skills', 'validate', '.'])).stderr).toContain('NOT_FOUND')
  })

  it('are found in the project, run, and exported by the standard', async () => {
    const minions = withFiles({
      '.claude/skills/greet/SKILL.md': GREET,
      '.claude/skills/greet/scripts/hello.sh': 'echo "Hello $1"\n',
      '.agents/skills/evil.mjs': 'throw new Error("must not run")\n',
    })
    expect(await minions.json(['skills', 'list'])).toMatchObject([{ name: 'greet' }, { name: 'greet--hello' }])
    const { result } = await minions.json(['skills', 'run', 'greet--hello', '--params', '{"args":["Ada"]}'])
    expect(result).toEqual({ exit_code: 0, stdout: 'Hello Ada\n', stderr: '' })
    expect(await minions.json(['skills', 'export', 'greet', 'out'])).toMatchObject({
      files: ['SKILL.md'],
      missing: ['scripts/hello.sh'],
    })
    expect(await minions.json(['skills', 'validate', 'out'])).toMatchObject([{ valid: true }])
    expect((await minions.here(['skills', 'export', 'greet', 'out'])).code).toBe(1)
  })

  it('are refused after a change until they are locked again', async () => {
    const minions = withFiles({ '.claude/skills/greet/SKILL.md': GREET })
    const lock = ['skills', 'lock', '.claude/skills']
    expect((await minions.here(lock, { input: 'no\n' })).code).toBe(1)
    expect(existsSync(minions.path('.claude/skills/skills.lock'))).toBe(false)
    expect(await minions.json([...lock, '--yes'])).toEqual({ added: ['greet/SKILL.md'], changed: [], removed: [] })
    expect(JSON.parse(readFileSync(minions.path('.claude/skills/skills.lock'), 'utf8')).version).toBe(1)
    writeFileSync(minions.path('.claude/skills/greet/SKILL.md'), `${GREET}Or not.\n`)
    const listed = await minions.here(['skills', 'list', '--json'])
    expect(JSON.parse(listed.stdout)).toEqual([])
    expect(listed.stderr).toContain('NOT_ACCEPTED')
    expect(await minions.json([...lock, '--yes'])).toMatchObject({ changed: ['greet/SKILL.md'] })
    expect(await minions.json(['skills', 'list'])).toMatchObject([{ name: 'greet' }])
  })
})
