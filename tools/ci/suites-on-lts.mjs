// @ts-check
// Runs the test suites of the packages on the current long-term release of Node, in a copy of the repository: `node tools/ci/suites-on-lts.mjs`.
// A copy, because native modules are compiled for one release and the repository's own are for the Node that installed it.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { arch, env, platform } from 'node:process'
import { copyRepository } from '../copy-repository.mjs'

/**
 * A release of the current long-term line. From 24.19 to 24.21 at least, Node's own headers make native modules that wrap
 * objects, better-sqlite3 12 among them, abort when those are collected (nodejs/node issue 65446).
 */
const version = '24.18.1'

const scratch = mkdtempSync(join(tmpdir(), 'minions-lts-'))
try {
  const node = installNode()
  const copy = join(scratch, 'repository')
  copyRepository(copy)
  // Headers come with the release, so that compiling native modules needs no other download.
  const onLts = { ...env, PATH: `${node.bin}${delimiter}${env.PATH}`, npm_config_nodedir: node.folder }
  console.log(`Node ${execFileSync('node', ['-v'], { env: onLts, encoding: 'utf8' }).trim()}`)
  process.exitCode =
    run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], copy, onLts) ||
    run('node', ['tools/test.mjs', 'test'], copy, onLts)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

/** Installs the npm package `node`, which brings the release of this platform. */
function installNode() {
  const project = join(scratch, 'node')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, allowScripts: { node: true } }))
  const status = run('npm', ['install', '--no-audit', '--no-fund', `node@${version}`], project, env)
  if (status !== 0) throw new Error(`Node ${version} cannot be installed`)
  const modules = join(project, 'node_modules')
  return { bin: join(modules, '.bin'), folder: join(modules, 'node/node_modules', `node-${platform}-${arch}`) }
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} environment
 * @returns {number} the exit code
 */
function run(command, args, folder, environment) {
  return (
    spawnSync(command, args, { cwd: folder, env: environment, stdio: ['ignore', 'inherit', 'inherit'] }).status ?? 1
  )
}
