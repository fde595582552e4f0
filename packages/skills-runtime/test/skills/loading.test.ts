import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSkills, SkillRegistry } from '../../src/index.js'

let dir: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'skills-'))
})

afterEach(() => rm(dir, { recursive: true, force: true }))

async function write(files: Record<string, string | Buffer>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true })
    await writeFile(join(dir, name), content)
  }
}

async function load(files: Record<string, string | Buffer>) {
  await write(files)
  const { skills, problems } = await loadSkills(dir, { moduleTimeoutMs: 500 })
  return {
    skills,
    names: skills.map(({ name }) => name),
    problems: problems.map(({ file, code }) => `${file.slice(dir.length + 1)} ${code}`),
    messages: problems.map(({ message }) => message).join('\n'),
  }
}

const json = (name: string, more: object = {}) =>
  JSON.stringify({ name, version: '1.0.0', parameters_schema: { type: 'object' }, ...more })
const yaml = (name: string) => `name: ${name}\nversion: 1.0.0\nparameters_schema:\n  type: object\n`

describe('loadSkills', () => {
  it('reads YAML, JSON, SKILL.md folders and modules, in subfolders too', async () => {
    const { skills, names, problems } = await load({
      'a.yaml': `${yaml('navigate')}dependencies: []\n---\n${yaml('detect')}dependencies: [navigate]\n`,
      'b.yml': `skills:\n  - { name: listed, version: 1.2.3, parameters_schema: {} }\n`,
      'c.json': json('from-json'),
      'd.json': `[${json('one-of-two')}, ${json('two-of-two')}]`,
      'nested/deep/e.json': json('nested'),
      'grasp/SKILL.md': `---\r\nname: grasp\r\nversion: 2.0.0\r\nparameters_schema: { type: object }\r\n---\r\n# How to grasp\r\n`,
      'grasp/scripts/helper.py': 'print(1)',
      'm.mjs': `const s = { name: 'from-module', version: '1.0.0', parameters_schema: {}, execute: () => ({ ok: true }) }
        export default s
        export const again = s
        export const more = [{ ...s, name: 'also-module' }]
        export const helper = () => 1
        export const limit = 5`,
      '.hidden.json': '{',
      'node_modules/x/index.js': 'throw 1',
    })
    expect(problems).toEqual([])
    expect(names).toEqual([
      'navigate', 'detect', 'listed', 'from-json', 'one-of-two', 'two-of-two',
      'grasp', 'from-module', 'also-module', 'nested',
    ]) // biome-ignore format: in the order of files
    expect(skills.find(({ name }) => name === 'grasp')).toMatchObject({
      version: '2.0.0',
      instructions: '# How to grasp',
    })
    expect(skills.find(({ name }) => name === 'from-module')?.execute).toBeTypeOf('function')
    expect(skills[0]).toMatchObject({ timeout: 30, tags: [] })
    expect(new SkillRegistry().registerAll(skills)).toHaveLength(10)
  })

  it('takes a folder that is one skill itself', async () => {
    const { names, problems } = await load({ 'SKILL.md': `---\n${yaml('alone')}---\n`, 'notes.txt': 'x' })
    expect([names, problems]).toEqual([['alone'], []])
  })

  it('composes skills that are written as steps', async () => {
    const steps = [{ skill: 'detect' }, { skill: 'grasp', input: { pose: '$' + '{detect.result.pose}' } }]
    const { skills, problems } = await load({
      'good.json': JSON.stringify({ name: 'fetch-object', steps }),
      'bad.json': JSON.stringify({ name: 'bad-order', steps: steps.toReversed() }),
    })
    expect(skills).toMatchObject([{ name: 'fetch-object', dependencies: ['detect', 'grasp'] }])
    expect(problems).toEqual(['bad.json INVALID_SKILL'])
  })

  it('reports everything that is not a skill, and loads the rest', async () => {
    const { names, problems, messages } = await load({
      'bad-attribute.json': json('navigate', { timeout: 0 }),
      'bad-json.json': '{ "name": ',
      'bad-utf8.json': Buffer.from([0x22, 0xff, 0x22]),
      'bad-yaml.yaml': 'name: [unclosed',
      'bad-tag.yaml': 'name: !!js/function "x"',
      'duplicate-key.yaml': 'name: a\nname: b',
      'empty.yaml': '# nothing here\n',
      'empty.json': '[]',
      'number.yaml': '5',
      'good.json': json('good-one'),
      'same-again.json': json('good-one'),
      'readme.txt': 'hello',
      'code.ts': 'export {}',
      'no-front/SKILL.md': '# No front matter',
      'unclosed/SKILL.md': '---\nname: abc\n',
      'list/SKILL.md': '---\n- a\n---\n',
      'plain/SKILL.md': '---\nname: plain-skill\ndescription: As agents know it.\n---\nText',
      'throws.mjs': 'throw new Error("boom")',
      'rejects.mjs': 'await Promise.reject("text")',
      'hangs.mjs': 'await new Promise(() => setInterval(() => {}, 1e6).unref())',
      'syntax.mjs': 'export const = 1',
      'nothing.mjs': 'export const a = 1',
      'half.mjs': 'export const a = { name: "half" }',
    })
    expect(names).toEqual(['good-one'])
    expect(problems.sort()).toEqual([
      'bad-attribute.json INVALID_SKILL',
      'bad-json.json SYNTAX',
      'bad-tag.yaml SYNTAX',
      'bad-utf8.json SYNTAX',
      'bad-yaml.yaml SYNTAX',
      'code.ts UNSUPPORTED',
      'duplicate-key.yaml SYNTAX',
      'empty.json NO_SKILLS',
      'empty.yaml NO_SKILLS',
      'half.mjs INVALID_SKILL',
      'hangs.mjs MODULE_FAILED',
      'list/SKILL.md SYNTAX',
      'no-front/SKILL.md SYNTAX',
      'nothing.mjs NO_SKILLS',
      'number.yaml INVALID_SKILL',
      'plain/SKILL.md INVALID_SKILL',
      'readme.txt UNSUPPORTED',
      'rejects.mjs MODULE_FAILED',
      'same-again.json DUPLICATE',
      'syntax.mjs MODULE_FAILED',
      'throws.mjs MODULE_FAILED',
      'unclosed/SKILL.md SYNTAX',
    ])
    expect(messages).toMatch(/\/version is required.*\/parameters_schema is required/)
    expect(messages).toContain('boom')
  })

  it('names the broken rules of a skill', async () => {
    await write({ 'a.json': json('navigate', { timeout: 0, tags: 'x' }) })
    const { problems } = await loadSkills(dir)
    expect(problems[0]?.errors?.map(({ pointer }) => pointer)).toEqual(['/timeout', '/tags'])
  })

  it('is not led out of the folder, round in circles, or into a pipe', async () => {
    await write({ 'inside/real.json': json('real-one') })
    const outside = await mkdtemp(join(tmpdir(), 'outside-'))
    await writeFile(join(outside, 'secret.json'), json('secret'))
    await symlink(join(outside, 'secret.json'), join(dir, 'file.json'))
    await symlink(outside, join(dir, 'folder'))
    await symlink(dir, join(dir, 'inside/circle'))
    await symlink(join(dir, 'gone.json'), join(dir, 'broken.json'))
    await symlink(join(outside, 'secret.json'), join(dir, 'inside/SKILL.md'))
    await symlink(join(dir, 'inside'), join(dir, 'zz-again'))
    execFileSync('mkfifo', [join(dir, 'pipe.json')])
    const { names, problems } = await load({ 'other/real.json': json('other-one') })
    await rm(outside, { recursive: true })
    expect(names).toEqual(['other-one'])
    expect(problems.sort()).toEqual([
      'broken.json UNREADABLE',
      'file.json OUTSIDE',
      'folder OUTSIDE',
      'inside/SKILL.md OUTSIDE',
      'pipe.json UNREADABLE',
    ])
  })

  it('bounds size, nesting and aliases', async () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]']
    for (let index = 0; index < 9; index++) {
      const [from, to] = [String.fromCharCode(97 + index), String.fromCharCode(98 + index)]
      bomb.push(`${to}: &${to} [${new Array(10).fill(`*${from}`).join(', ')}]`)
    }
    const { names, problems } = await load({
      'bomb.yaml': bomb.join('\n'),
      'brackets.yaml': '['.repeat(500_000),
      'dashes.yaml': '- '.repeat(50_000),
      'deep.json': '['.repeat(100_000) + ']'.repeat(100_000),
      'huge.json': json('huge', { description: 'x'.repeat(1024 * 1024) }),
      'aliases.yaml': `${yaml('aliased')}x-schema: &s { type: string }\ny: *s\n`,
      'merge.json': `{"__proto__": {"name": "polluted"}, "name": "proto-skill", "version": "1.0.0", "parameters_schema": {}}`,
    })
    expect(names).toEqual(['aliased', 'proto-skill'])
    expect(problems.sort()).toEqual([
      'bomb.yaml SYNTAX',
      'brackets.yaml SYNTAX',
      'dashes.yaml SYNTAX',
      'deep.json INVALID_SKILL',
      'huge.json TOO_LARGE',
    ])
  })

  it('reports a folder that is not there', async () => {
    const { skills, problems } = await loadSkills(join(dir, 'missing'))
    expect(skills).toEqual([])
    expect(problems).toMatchObject([{ file: join(dir, 'missing'), code: 'UNREADABLE' }])
  })
})
