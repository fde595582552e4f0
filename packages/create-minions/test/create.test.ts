import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readArguments } from '../src/arguments.js'
import { AREAS, STORAGES } from '../src/choices.js'
import { complete } from '../src/complete.js'
import { dependenciesOf } from '../src/project/dependencies.js'
import { projectFiles } from '../src/project/project-files.js'

const bin = fileURLToPath(new URL('../bin/create-minions.js', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'create-minions-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

function run(cwd: string, ...args: string[]) {
  return spawnSync(process.execPath, [bin, ...args], { cwd, encoding: 'utf8', input: '' })
}

describe('the command', { timeout: 120_000 }, () => {
  it('writes a project whose program runs and whose test passes', () => {
    // Inside the repository, whose packages Node then finds.
    const parent = mkdtempSync(join(root, 'packages/cli/.tmp-create-'))
    onTestFinished(() => rmSync(parent, { recursive: true }))
    const created = run(parent, 'my-agents', '--no-install')
    expect(created).toMatchObject({ status: 0, stderr: '' })
    expect(created.stdout).toContain('npm install @minions/core @minions/host @minions/cli @minions/storage-sqlite')
    const folder = join(parent, 'my-agents')
    const env = { ...process.env, MINIONS_STORAGE: 'memory:' }
    const started = spawnSync(process.execPath, ['src/main.mjs'], { cwd: folder, env, encoding: 'utf8' })
    expect(started.stderr).toBe('')
    expect(started.stdout).toContain('rendered Hello Ada!')
    expect(started.stdout).toContain('mission completed with 22 artifacts')
    const tested = spawnSync(process.execPath, ['--test', '--test-reporter=tap', 'test/app.test.mjs'], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(tested.stdout).toContain('# pass 1')
  })

  it('refuses a folder that is not empty, an unknown storage and an unknown option, and writes nothing', () => {
    const folder = scratch()
    writeFileSync(join(folder, 'mine.txt'), 'kept')
    expect(run(folder, '.', '--no-install')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is not empty'),
    })
    expect(run(folder, 'new', '--storage', 'mongo').stderr).toContain('sqlite, fs, postgres, memory, not "mongo"')
    expect(run(folder, 'new', '--sotrage', 'fs').status).toBe(2)
    expect(run(folder, 'one', 'two').stderr).toContain('one folder at most')
    expect(existsSync(join(folder, 'new'))).toBe(false)
    expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('kept')
  })

  it('explains itself', () => {
    expect(run(scratch(), '--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('npm create minions') })
  })
})

describe('the questions', () => {
  it('are put only for what the command line leaves open', async () => {
    const asked: string[] = []
    const ask = async (question: string, offered: string) => {
      asked.push(question)
      return question === 'Model (empty for none)' ? 'openai#gpt' : offered
    }
    expect(await complete(readArguments(['bot', '--storage', 'fs']), ask)).toEqual({
      name: 'bot',
      storage: 'fs',
      areas: ['missions'],
      model: 'openai#gpt',
    })
    expect(asked).toEqual(['Areas (prompts, skills, workspace, missions)', 'Model (empty for none)'])
  })

  it('have defaults where there is no terminal', async () => {
    expect(await complete(readArguments([]), undefined)).toEqual({
      name: 'my-minions',
      storage: 'sqlite',
      areas: ['missions'],
    })
  })
})

describe('every combination', () => {
  it.each(STORAGES.flatMap((storage) => AREAS.map((area) => [storage, area] as const)))(
    '%s with %s imports only what it installs',
    (storage, area) => {
      const choices = { name: 'x', storage, areas: [area], model: 'openai#gpt' }
      const imported = Object.values(projectFiles(choices)).flatMap((text) =>
        [...text.matchAll(/^import .* from '((?:@minions\/)?[a-z][\w-]*)/gm)].map(([, name]) => name),
      )
      expect(dependenciesOf(choices)).toEqual(
        expect.arrayContaining(imported.filter((name) => !name?.startsWith('node'))),
      )
    },
  )
})
