// @ts-check
// A release to a registry on this machine: `npm run release:rehearse`. The versions are raised and built in a copy of the
// repository, published with the command of the release workflow, and installed into empty folders as a user would.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, env, execPath } from 'node:process'
import { readSnippets } from '../docs/snippets.mjs'
import { reuseNativeCode } from '../native.mjs'
import { listPackages, readJson, root } from '../packages.mjs'
import { reportProblems } from '../report.mjs'
import { startRegistry } from './registry.mjs'
import { scratchCopy } from './scratch-copy.mjs'

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'minions-rehearsal-')))
const copy = join(scratch, 'repository')
/** @type {string[]} */
const problems = []
let published = 0

try {
  const changeset = join(root, 'node_modules/.bin/changeset')
  scratchCopy(copy)
  run('raise the versions', changeset, ['version'], copy, env)
  run('build', 'npm', ['run', 'build'], copy, env)
  const registry = await startRegistry(join(scratch, 'registry'))
  try {
    // changesets asks Git for the tags of what it published.
    run('make a repository', 'git', ['init', '--quiet'], copy, env)
    run('publish', changeset, ['publish', '--no-git-tag'], copy, registry.env)
    const packages = listPackages(copy).filter(({ manifest }) => !manifest.private)
    published = packages.length
    for (const { name, manifest } of packages) await expectVersion(registry.url, name, manifest.version)
    useAsApplication(packages, registry)
    useWithoutInstalling(registry)
    createProject(registry)
  } finally {
    await registry.stop()
  }
} catch (error) {
  problems.push(error instanceof Error ? error.message : String(error))
} finally {
  if (argv.includes('--keep')) console.log(`rehearsal: left in ${scratch}`)
  else rmSync(scratch, { recursive: true, force: true })
}
reportProblems('rehearsal', problems, `${published} packages were published, installed from the registry and used`)

/** @param {string} url @param {string} name @param {string} version */
async function expectVersion(url, name, version) {
  const answer = await fetch(`${url}${name.replace('/', '%2f')}`)
  const document = /** @type {{ 'dist-tags'?: { latest?: string } }} */ (await answer.json())
  const found = document['dist-tags']?.latest
  if (found !== version) problems.push(`${name} is ${found ?? 'absent'} in the registry, and should be ${version}`)
}

/**
 * An application that installs every package, runs the first program of the README and uses the command.
 *
 * @param {import('../packages.mjs').Package[]} packages
 * @param {{ url: string, env: NodeJS.ProcessEnv }} registry
 */
function useAsApplication(packages, registry) {
  const folder = emptyFolder('application')
  run('npm init', 'npm', ['init', '--yes'], folder, registry.env)
  run('npm install', 'npm', ['install', '--ignore-scripts', ...packages.map(({ name }) => name)], folder, registry.env)
  reuseNativeCode(folder)
  for (const { name, manifest } of packages) {
    const { version } = readJson(join(folder, 'node_modules', name, 'package.json'))
    if (version !== manifest.version) problems.push(`${name} was installed as ${version}, not ${manifest.version}`)
  }
  const lock = readJson(join(folder, 'package-lock.json')).packages
  const elsewhere = Object.entries(lock).filter(
    ([location, { resolved }]) =>
      location.includes('@minions/') && resolved !== undefined && !resolved.startsWith(registry.url),
  )
  problems.push(...elsewhere.map(([location]) => `${location} was not installed from the registry of the rehearsal`))

  const [program] = readSnippets(readFileSync(join(copy, 'README.md'), 'utf8'))
  if (program === undefined) throw new Error('The README has no program to run.')
  writeFileSync(join(folder, 'try.mjs'), program.code)
  run('run the program of the README', execPath, ['try.mjs'], folder, registry.env)
  run('minions demo', 'npx', ['minions', 'demo'], folder, homeIn(folder, registry.env))
  run('minions doctor', 'npx', ['minions', 'doctor'], folder, homeIn(folder, registry.env))
}

/**
 * A first look at the command: one line in an empty folder.
 *
 * @param {{ env: NodeJS.ProcessEnv }} registry
 */
function useWithoutInstalling(registry) {
  const folder = emptyFolder('look')
  const args = ['--yes', '--ignore-scripts', '@minions/cli', 'types', 'list', '--storage', 'memory:']
  run('npx @minions/cli', 'npx', args, folder, homeIn(folder, registry.env))
}

/**
 * A new project, from one command in an empty folder to its passing test.
 *
 * @param {{ env: NodeJS.ProcessEnv }} registry
 */
function createProject(registry) {
  const parent = emptyFolder('create')
  const environment = { ...registry.env, npm_config_ignore_scripts: 'true', npm_config_yes: 'true' }
  run('npm create minions', 'npm', ['create', 'minions', 'my-agents', '--', '--yes'], parent, environment)
  const folder = join(parent, 'my-agents')
  reuseNativeCode(folder)
  // npm runs no scripts of the project either while install scripts are off, so not with that setting.
  run('npm start', 'npm', ['start'], folder, registry.env)
  run('npm test', 'npm', ['test'], folder, registry.env)
}

/** @param {string} name */
function emptyFolder(name) {
  const folder = join(scratch, name)
  mkdirSync(folder)
  return folder
}

/** @param {string} folder @param {NodeJS.ProcessEnv} registryEnv */
function homeIn(folder, registryEnv) {
  return { ...registryEnv, MINIONS_HOME: join(folder, 'home') }
}

/**
 * @param {string} what
 * @param {string} command
 * @param {string[]} args
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} environment
 * @returns {string} what it printed
 */
function run(what, command, args, folder, environment) {
  const started = Date.now()
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`${what} failed: ${error?.message ?? `${stdout}${stderr}`.trim()}`)
  console.log(`ok     ${what} (${Math.round((Date.now() - started) / 1000)} s)`)
  return stdout
}
