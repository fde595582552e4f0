import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { silentLogger } from '@minions/core/plugin'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  discoverSkillFolders,
  type LoadedSkills,
  loadSkills,
  lockSkills,
  SkillRegistry,
  SubagentManager,
} from '../../../src/index.js'
import { loadFolders } from '../../../src/skills/registry/load-folders.js'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'agent-skills-'))
})
afterEach(() => rm(root, { recursive: true }))

const log = silentLogger
const HEAD = 'name: pdf-tools\ndescription: Reads and fills PDF forms. Use it for PDF files.'
const skillMd = (head = HEAD, body = '# How\n\nRead the file first.') => `---\n${head}\n---\n${body}\n`

async function write(files: Record<string, string | Uint8Array>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content)
  }
}

const codes = ({ problems }: LoadedSkills) => problems.map(({ code }) => code)

async function run(loaded: LoadedSkills, skill: string, params = {}): Promise<object> {
  await using manager = await open(loaded)
  const { agent_id } = await manager.skills.spawn({})
  return manager.skills.run(agent_id, skill, params)
}

async function open(loaded: LoadedSkills) {
  const skills = await SubagentManager.open({})
  skills.registry.registerAll(loaded.skills)
  return { skills, [Symbol.asyncDispose]: () => skills.shutdown() }
}

describe('a folder of the Agent Skills standard', () => {
  it('is loaded with its version, text and files', async () => {
    await write({
      'pdf-tools/SKILL.md': skillMd(
        `${HEAD}\nlicense: MIT\nallowed-tools: Read, Bash(qpdf --json:*) Web(a, b)\nmetadata:\n  version: "1.2"`,
      ),
      'pdf-tools/references/forms.md': 'Forms.',
      'pdf-tools/.git/config': 'hidden',
    })
    const loaded = await loadSkills(root)
    expect(loaded.problems).toEqual([])
    expect(loaded.skills[0]).toMatchObject({
      name: 'pdf-tools',
      version: '1.2.0',
      instructions: '# How\n\nRead the file first.',
      agent_skill: {
        license: 'MIT',
        allowed_tools: ['Read', 'Bash(qpdf --json:*)', 'Web(a, b)'],
        metadata: { version: '1.2' },
        files: [{ path: 'SKILL.md' }, { path: 'references/forms.md' }],
      },
    })
  })

  it('has a version made of its content when it declares none', async () => {
    await write({ 'pdf-tools/SKILL.md': skillMd() })
    const [first] = (await loadSkills(root)).skills
    expect(first?.version).toMatch(/^0\.0\.0-sha256-[0-9a-f]{16}$/)
    expect((await loadSkills(root)).skills[0]?.version).toBe(first?.version)
    await write({ 'pdf-tools/references/more.md': 'More.' })
    expect((await loadSkills(root)).skills[0]?.version).not.toBe(first?.version)
  })

  it('takes names and descriptions that only the standard allows, also into a registry', async () => {
    const name = 'a'.repeat(64)
    await write({
      'x/SKILL.md': skillMd('name: x\ndescription: One letter.'),
      'x/scripts/y.sh': 'echo y',
      [`${name}/SKILL.md`]: skillMd(`name: ${name}\ndescription: ${'x'.repeat(1024)}`),
      'ärzte/SKILL.md': skillMd('name: ärzte\ndescription: Another script.'),
    })
    const registry = new SkillRegistry()
    const { problems } = await loadFolders(registry, { load: [root] }, log)
    expect(problems).toEqual([])
    expect(registry.listSkills().map((skill) => skill.name)).toEqual([name, 'x', 'x--y', 'ärzte'])
    expect(await run(await loadSkills(root), 'x--y')).toMatchObject({ stdout: 'y\n' })
  })

  it('keeps only what the folder holds now of a skill without a version', async () => {
    const registry = new SkillRegistry()
    await write({ 'pdf-tools/SKILL.md': skillMd() })
    await loadFolders(registry, { load: [root] }, log)
    await write({ 'pdf-tools/SKILL.md': skillMd(HEAD, 'Another text.') })
    await loadFolders(registry, { load: [root] }, log)
    expect(registry.listVersions('pdf-tools')).toHaveLength(1)
    expect(registry.getSkill('pdf-tools').instructions).toBe('Another text.')
  })

  it('is read beside our own form, which says what parameters a skill takes', async () => {
    await write({
      'pdf-tools/SKILL.md': skillMd(),
      'other/SKILL.md': skillMd('name: other-one\nversion: 1.0.0\nparameters_schema:\n  type: object'),
    })
    const loaded = await loadSkills(root)
    expect(loaded.problems).toEqual([])
    expect(loaded.skills.map(({ name }) => name).sort()).toEqual(['other-one', 'pdf-tools'])
  })

  it('is a problem with every rule that it breaks', async () => {
    await write({ 'pdf-tool/SKILL.md': skillMd(`${HEAD}\nversion: 1.0.0`) })
    const loaded = await loadSkills(root)
    expect(loaded.skills).toEqual([])
    expect(loaded.problems[0]?.errors?.map(({ code }) => code)).toEqual(['UNKNOWN_ATTRIBUTE', 'FOLDER_NAME'])
  })
})

/** Ended processes stay in the list until their parent looks after them. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const status = `/proc/${pid}/status`
  return !existsSync(status) || !/^State:\tZ/m.test(readFileSync(status, 'utf8'))
}

describe('running it', () => {
  it('gives the instructions first, and a file when it is asked for', async () => {
    await write({
      'pdf-tools/SKILL.md': skillMd(),
      'pdf-tools/references/forms.md': 'Forms.',
      'pdf-tools/assets/logo.png': new Uint8Array([0xff, 0xd8, 0x00]),
      'pdf-tools/scripts/count.sh': 'echo $#',
    })
    const loaded = await loadSkills(root)
    expect(await run(loaded, 'pdf-tools')).toEqual({
      instructions: '# How\n\nRead the file first.',
      resources: ['assets/logo.png', 'references/forms.md', 'scripts/count.sh'],
      scripts: ['pdf-tools--count'],
    })
    expect(await run(loaded, 'pdf-tools', { resource: 'references/forms.md' })).toEqual({
      path: 'references/forms.md',
      text: 'Forms.',
    })
    expect(await run(loaded, 'pdf-tools', { resource: 'assets/logo.png' })).toMatchObject({ base64: '/9gA' })
    for (const resource of ['../secret', '/etc/passwd', 'references/../../secret', 'nothing.md']) {
      await expect(run(loaded, 'pdf-tools', { resource })).rejects.toMatchObject({ code: 'SKILL_FAILED' })
    }
  })

  it('calls every script by a name of its own', async () => {
    const scripts = ['run.py', 'run.sh', 'a_b.sh', 'a-b.sh', 'a-b-sh.sh', '--.sh', 'Größe.sh']
    await write({
      'pdf-tools/SKILL.md': skillMd(),
      ...Object.fromEntries(scripts.map((name) => [`pdf-tools/scripts/${name}`, `echo ${name}`])),
    })
    const loaded = await loadSkills(root)
    expect(loaded.problems).toEqual([])
    const names = ['script', 'größe', 'a-b-sh', 'a-b-sh-2', 'a-b-sh-3', 'run-py', 'run-sh'].map(
      (name) => `pdf-tools--${name}`,
    )
    expect(await run(loaded, 'pdf-tools')).toMatchObject({ scripts: names })
    expect(await run(loaded, 'pdf-tools--a-b-sh-3')).toMatchObject({ stdout: 'a_b.sh\n' })
  })

  it.each([
    ['references/forms.md', 'pdf-tools', { resource: 'references/forms.md' }],
    ['scripts/count.sh', 'pdf-tools--count', {}],
  ])('does not use %s when it is not as it was loaded', async (path, skill, params) => {
    await write({ 'pdf-tools/SKILL.md': skillMd(), [`pdf-tools/${path}`]: 'echo 1' })
    const loaded = await loadSkills(root)
    await write({ [`pdf-tools/${path}`]: 'echo 2' })
    await expect(run(loaded, skill, params)).rejects.toMatchObject({ cause: { code: 'RESOURCE_REFUSED' } })
    await rm(join(root, 'pdf-tools', path))
    await expect(run(loaded, skill, params)).rejects.toMatchObject({ cause: { code: 'RESOURCE_REFUSED' } })
    execFileSync('mkfifo', [join(root, 'pdf-tools', path)])
    await expect(run(loaded, skill, params)).rejects.toMatchObject({ cause: { code: 'RESOURCE_REFUSED' } })
  })

  it('does not follow a file that became a link out of the folder', async () => {
    await write({ 'pdf-tools/SKILL.md': skillMd(), 'pdf-tools/references/forms.md': 'Forms.', secret: 'secret' })
    const loaded = await loadSkills(root)
    await rm(join(root, 'pdf-tools/references/forms.md'))
    await symlink(join(root, 'secret'), join(root, 'pdf-tools/references/forms.md'))
    const refused = run(loaded, 'pdf-tools', { resource: 'references/forms.md' })
    await expect(refused).rejects.toMatchObject({ cause: { code: 'RESOURCE_REFUSED' } })
  })

  it('runs scripts with arguments as they are, in the folder of the skill, without a shell or secrets', async () => {
    process.env.MINIONS_TEST_SECRET = 'secret'
    await write({
      'pdf-tools/SKILL.md': skillMd(),
      'pdf-tools/scripts/show.mjs': `
        let input = ''
        for await (const chunk of process.stdin) input += chunk
        console.log(JSON.stringify([process.argv.slice(2), input, process.env.MINIONS_TEST_SECRET ?? null]))
        console.error(process.cwd())
        process.exitCode = 3`,
    })
    const result = await run(await loadSkills(root), 'pdf-tools--show', {
      args: ['a b', '$(touch x)', '; ls'],
      stdin: 'in',
    })
    delete process.env.MINIONS_TEST_SECRET
    expect(result).toMatchObject({ exit_code: 3 })
    const { stdout, stderr } = result as { stdout: string; stderr: string }
    expect(JSON.parse(stdout)).toEqual([['a b', '$(touch x)', '; ls'], 'in', null])
    expect(stderr.trim().endsWith('pdf-tools')).toBe(true)
  })

  it('kills a script that hangs, and everything that it started', async () => {
    const pidFile = join(root, 'pid')
    await write({
      'pdf-tools/SKILL.md': skillMd(),
      'pdf-tools/scripts/hang.sh': `sleep 300 &\necho $! > ${pidFile}\nsleep 300`,
    })
    const loaded = await loadSkills(root)
    const skills = loaded.skills.map((skill) => ({ ...skill, timeout: 2 }))
    await expect(run({ ...loaded, skills }, 'pdf-tools--hang')).rejects.toMatchObject({ code: 'SKILL_TIMEOUT' })
    await expect.poll(() => isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false)
  })

  it('does not wait for what a script leaves behind, and ends it', async () => {
    await write({ 'pdf-tools/SKILL.md': skillMd(), 'pdf-tools/scripts/fork.sh': 'sleep 300 &\necho $!' })
    const result = (await run(await loadSkills(root), 'pdf-tools--fork')) as { exit_code: number; stdout: string }
    expect(result.exit_code).toBe(0)
    await expect.poll(() => isAlive(Number(result.stdout))).toBe(false)
  })

  it.runIf(process.platform === 'linux')('ends children that left the group of the script', async () => {
    await write({
      'pdf-tools/SKILL.md': skillMd(),
      'pdf-tools/scripts/fork.sh': 'for i in 1 2 3 4 5 6 7 8; do setsid sleep 300 & echo $!; done',
    })
    const { stdout } = (await run(await loadSkills(root), 'pdf-tools--fork')) as { stdout: string }
    const pids = stdout.trim().split('\n').map(Number)
    expect(pids).toHaveLength(8)
    await expect.poll(() => pids.filter(isAlive), { timeout: 20_000 }).toEqual([])
  })

  it.runIf(process.platform === 'linux')('ends a child whose environment could not be read at first', async () => {
    const pidFile = join(root, 'pid')
    const later = `echo $$ > ${pidFile}; while kill -0 $1 2>/dev/null; do :; done; sleep 0.1; exec env MINIONS_SCRIPT=$2 sleep 300`
    await write({
      'pdf-tools/SKILL.md': skillMd(),
      'pdf-tools/scripts/fork.sh': [
        `setsid env -i PATH="$PATH" sh -c '${later}' - $$ "$MINIONS_SCRIPT" &`,
        `while [ ! -s ${pidFile} ]; do sleep 0.05; done`,
      ].join('\n'),
    })
    await run(await loadSkills(root), 'pdf-tools--fork')
    const pid = Number(readFileSync(pidFile, 'utf8'))
    await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false)
  })

  it('does not wait for output that a process it cannot find holds open', async () => {
    const pidFile = join(root, 'pid')
    await write({
      'pdf-tools/SKILL.md': skillMd(),
      'pdf-tools/scripts/fork.sh': [
        `setsid env -i sh -c 'echo $$ > ${pidFile}; exec sleep 60' &`,
        `while [ ! -s ${pidFile} ]; do sleep 0.05; done`,
        'echo done',
      ].join('\n'),
    })
    expect(await run(await loadSkills(root), 'pdf-tools--fork')).toMatchObject({ exit_code: 0, stdout: 'done\n' })
    process.kill(Number(readFileSync(pidFile, 'utf8')))
  })

  it('ends a script that prints a hundred megabytes, and one that cannot be started', async () => {
    await write({
      'pdf-tools/SKILL.md': skillMd(),
      'pdf-tools/scripts/flood.sh': 'head -c 104857600 /dev/zero; touch printed',
      'pdf-tools/scripts/binary': new Uint8Array([1, 2, 3]),
    })
    await chmod(join(root, 'pdf-tools/scripts/binary'), 0o644)
    const loaded = await loadSkills(root)
    for (const skill of ['pdf-tools--flood', 'pdf-tools--binary']) {
      await expect(run(loaded, skill)).rejects.toMatchObject({ code: 'SKILL_FAILED' })
    }
    expect(existsSync(join(root, 'pdf-tools/printed'))).toBe(false)
  })
})

describe('a hostile folder', () => {
  const cases: Record<string, [() => Promise<unknown>, string]> = {
    'a link out of the folder': [
      async () => {
        await write({ 'pdf-tools/SKILL.md': skillMd(), secret: 'secret' })
        await mkdir(join(root, 'inner'))
        await symlink(join(root, 'secret'), join(root, 'pdf-tools/leak.md'))
      },
      'OUTSIDE',
    ],
    'front matter of ten megabytes': [
      () => write({ 'pdf-tools/SKILL.md': skillMd(`${HEAD}\nlicense: ${'x'.repeat(10_000_000)}`) }),
      'TOO_LARGE',
    ],
    'a folder that is a link out': [
      async () => {
        await write({ 'pdf-tools/SKILL.md': skillMd(), 'secrets/passwords': 'secret' })
        await symlink(join(root, 'secrets'), join(root, 'pdf-tools/references'))
      },
      'OUTSIDE',
    ],
    'a SKILL.md that is a pipe': [
      async () => {
        await mkdir(join(root, 'pdf-tools'))
        execFileSync('mkfifo', [join(root, 'pdf-tools/SKILL.md')])
      },
      'UNREADABLE',
    ],
    'a file that is a pipe': [
      async () => {
        await write({ 'pdf-tools/SKILL.md': skillMd() })
        execFileSync('mkfifo', [join(root, 'pdf-tools/more')])
      },
      'UNREADABLE',
    ],
    'a skills.lock that is a pipe': [
      async () => {
        await write({ 'pdf-tools/SKILL.md': skillMd() })
        execFileSync('mkfifo', [join(root, 'skills.lock')])
      },
      'NOT_ACCEPTED',
    ],
    'aliases that multiply a billion times': [
      () => {
        const levels = Array.from(
          { length: 9 },
          (_, level) => `  a${level + 1}: &a${level + 1} [${`*a${level}, `.repeat(10)}]`,
        )
        return write({ 'pdf-tools/SKILL.md': skillMd(`${HEAD}\nmetadata:\n  a0: &a0 lol\n${levels.join('\n')}`) })
      },
      'SYNTAX',
    ],
    'the same bomb where our own form would be': [
      () => {
        const levels = Array.from(
          { length: 9 },
          (_, level) => `  a${level + 1}: &a${level + 1} [${`*a${level}, `.repeat(10)}]`,
        )
        return write({
          'pdf-tools/SKILL.md': skillMd(`${HEAD}\nparameters_schema:\n  a0: &a0 lol\n${levels.join('\n')}`),
        })
      },
      'SYNTAX',
    ],
    'a SKILL.md of binary data': [
      () => write({ 'pdf-tools/SKILL.md': Uint8Array.from({ length: 4096 }, (_, index) => (index * 89) % 256) }),
      'SYNTAX',
    ],
    'a YAML bomb': [
      () => write({ 'pdf-tools/SKILL.md': skillMd(`${HEAD}\nmetadata:\n  a: &a x\n  b: [*a, *a, *a]`) }),
      'SYNTAX',
    ],
    'YAML nested a hundred thousand levels deep': [
      () => write({ 'pdf-tools/SKILL.md': skillMd(`${HEAD}\nmetadata:\n ${'- '.repeat(100_000)}x`) }),
      'SYNTAX',
    ],
    'a key twice, deep down': [
      () => write({ 'pdf-tools/SKILL.md': skillMd(`${HEAD}\nmetadata:\n  a: b\n  a: c`) }),
      'SYNTAX',
    ],
    'a key twice': [() => write({ 'pdf-tools/SKILL.md': skillMd(`${HEAD}\nname: other`) }), 'SYNTAX'],
    'bytes that are not UTF-8': [
      () => write({ 'pdf-tools/SKILL.md': new Uint8Array([0x2d, 0x2d, 0x2d, 0xff]) }),
      'SYNTAX',
    ],
    'a name with a path': [
      () => write({ 'pdf-tools/SKILL.md': skillMd('name: ../pdf-tools\ndescription: x') }),
      'INVALID_SKILL',
    ],
  }
  for (const [title, [prepare, code]] of Object.entries(cases)) {
    it(`is a problem: ${title}`, async () => {
      await prepare()
      const loaded = await loadSkills(root)
      expect(loaded.skills).toEqual([])
      expect(codes(loaded)).toContain(code)
    })
  }
})

describe('discovery', () => {
  const found = async () => (await discoverSkillFolders([root])).map((folder) => folder.slice(root.length + 1))

  it('finds the folders of coding agents, and that of a workspace', async () => {
    await write({ 'skills/notes.md': '', '.claude/skills/notes.md': '' })
    expect(await found()).toEqual(['.claude/skills'])
    await write({ 'prompt/AGENTS.md': '', '.agents/skills/notes.md': '' })
    expect(await found()).toEqual(['skills', '.agents/skills', '.claude/skills'])
  })

  it('loads a skill once to which links lead from the folder of another agent', async () => {
    await write({
      '.agents/skills/pdf-tools/SKILL.md': skillMd(),
      '.claude/skills/other/SKILL.md': skillMd('name: other\ndescription: x'),
    })
    await symlink('../../.agents/skills/pdf-tools', join(root, '.claude/skills/pdf-tools'))
    const registry = new SkillRegistry()
    const { problems } = await loadFolders(registry, { discover: await discoverSkillFolders([root]) }, log)
    expect(problems).toEqual([])
    expect(registry.listSkills().map(({ name }) => name)).toEqual(['pdf-tools', 'other'])
    await rm(join(root, '.claude/skills'), { recursive: true })
    await symlink('../.agents/skills', join(root, '.claude/skills'))
    expect(await found()).toEqual(['.agents/skills'])
  })

  it('loads a folder once that is given and discovered', async () => {
    await write({ '.claude/skills/pdf-tools/SKILL.md': skillMd(), '.claude/skills/pdf-tools/scripts/a.sh': 'echo 1' })
    for (const given of ['.claude/skills', '.claude/skills/pdf-tools']) {
      const registry = new SkillRegistry()
      const folders = { load: [join(root, given)], discover: await discoverSkillFolders([root]) }
      const { problems, skills } = await loadFolders(registry, folders, log)
      expect(problems).toEqual([])
      expect(skills.map(({ name }) => name)).toEqual(['pdf-tools', 'pdf-tools--a'])
    }
  })
})

describe('skills.lock', () => {
  it('refuses what changed, is new or is gone until it is accepted', async () => {
    await write({
      'pdf-tools/SKILL.md': skillMd(),
      'pdf-tools/scripts/a.sh': 'echo 1',
      'plain.json': JSON.stringify({ name: 'plain', version: '1.0.0', parameters_schema: {} }),
    })
    const accept = async () => writeFile(join(root, 'skills.lock'), (await lockSkills(root)).text)
    await accept()
    expect(codes(await loadSkills(root))).toEqual([])

    await write({ 'pdf-tools/scripts/a.sh': 'echo 2', 'new/SKILL.md': skillMd('name: new\ndescription: New.') })
    const loaded = await loadSkills(root)
    expect(loaded.skills.map(({ name }) => name)).toEqual(['plain'])
    expect(codes(loaded)).toEqual(['NOT_ACCEPTED', 'NOT_ACCEPTED'])
    expect(loaded.problems.some(({ message }) => message.includes('pdf-tools/scripts/a.sh'))).toBe(true)
    expect((await lockSkills(root)).differences).toEqual({
      added: ['new/SKILL.md'],
      changed: ['pdf-tools/scripts/a.sh'],
      removed: [],
    })

    await accept()
    expect(codes(await loadSkills(root))).toEqual([])
    await rm(join(root, 'pdf-tools/scripts/a.sh'))
    expect(codes(await loadSkills(root))).toEqual(['NOT_ACCEPTED'])
    await write({ 'skills.lock': '{"version":1,"files":{"a":1}}' })
    expect((await loadSkills(root)).skills).toEqual([])
  })
})
