import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const bundle = fileURLToPath(new URL('../dist/bundle', import.meta.url))

/** The files and packages that a file of the bundle loads before it runs. */
function loadedBy(file: string, seen: Set<string> = new Set()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  const code = readFileSync(join(bundle, file), 'utf8')
  for (const [, from = ''] of code.matchAll(/\b(?:from|import)\s*["'](\.\/[^'"]+|@minions\/[^'"]+)["']/g)) {
    if (from.startsWith('.')) loadedBy(join(dirname(file), from), seen)
    else seen.add(from)
  }
  return seen
}

/** What is loaded before a command of a module runs: the files of the bundle, and the packages. */
function loadedFor(module: string) {
  const file = readdirSync(bundle).find((name) => new RegExp(`^${module}-[\\w-]{8}\\.js$`).test(name))
  const loaded = [...loadedBy('main.js', loadedBy(file ?? `${module}-….js`))]
  const packages = new Set(loaded.filter((name) => name.startsWith('@minions/')).map((name) => name.split('/')[1]))
  return { loaded, packages: [...packages].sort() }
}

it('list starts with core, the host, prompts and few files of its own', () => {
  const { loaded, packages } = loadedFor('listing')
  expect(packages).toEqual(['core', 'host', 'prompts'])
  expect(loaded.filter((name) => name.endsWith('.js') && !name.startsWith('@')).length).toBeLessThan(10)
})

it.each(['cluster', 'demo', 'keys', 'mcp', 'operations', 'serve', 'studio', 'worker'])(
  'the help of %s does not load what only the command itself needs',
  (module) => {
    const apps = ['approvals', 'colony', 'colony-contracts', 'mcp', 'models', 'skills-runtime', 'studio', 'workspace']
    expect(loadedFor(module).packages.filter((name = '') => apps.includes(name))).toEqual([])
  },
)

it('an error of a program that nobody catches does not fill the terminal', () => {
  const program = "import { Minions } from '@minions/core'; await Minions.open({})"
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: dirname(fileURLToPath(import.meta.url)),
    encoding: 'utf8',
  })
  expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining('MinionsError') })
  expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThan(1000)
})
