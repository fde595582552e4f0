// @ts-check
// Lets others judge the OpenAPI document, on built packages: `npm run judges`. Redocly and Spectral look for errors in it;
// openapi-typescript makes types of it, and real answers must have them under `strict`. The judges are large and no concern
// of users, so they are installed into a temporary folder.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApiDocument } from '@minions/server'
import { withEveryPlugin } from '../operations/app.mjs'
import { root } from '../packages.mjs'
import { reportProblems } from '../report.mjs'
import { realAnswers, typedAnswers } from './answers.mjs'

const JUDGES = { '@redocly/cli': '2.73.0', '@stoplight/spectral-cli': '6.16.3', 'openapi-typescript': '7.13.0' }

/** What openapi-typescript itself compiles with; ours has no JavaScript API. */
const BESIDES = { typescript: '5.9.3' }

const folder = mkdtempSync(join(tmpdir(), 'minions-judges-'))
try {
  const failed = install()
  if (failed === undefined) await judge()
  else console.log(`judges: left out, since they cannot be installed: ${failed}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function judge() {
  const withApp = /** @type {import('./answers.mjs').WithApp} */ (/** @type {unknown} */ (withEveryPlugin))
  const document = await withApp(async (app) => openApiDocument(app))
  const answers = await realAnswers(withApp)
  write('openapi.json', JSON.stringify(document, null, 1))
  write('.spectral.json', JSON.stringify({ extends: ['spectral:oas'] }))
  write('answers.ts', typedAnswers(answers))
  const problems = [
    ...run('redocly', ['lint', '--format=github-actions', 'openapi.json']),
    ...run('spectral', ['lint', '--fail-severity=error', '--quiet', 'openapi.json']),
    ...run('openapi-typescript', ['openapi.json', '--immutable', '--output', 'types.d.ts']),
    ...compile('answers.ts'),
  ]
  // A program with a wrong answer must not compile, or the judges would have nothing to say.
  const [first] = answers
  if (first) write('wrong.ts', typedAnswers([{ ...first, body: 1 }]))
  if (problems.length === 0 && compile('wrong.ts').length === 0) problems.push('an answer that is wrong compiles')
  const judged = `Redocly and Spectral find no error, and ${answers.length} real answers have the types of openapi-typescript`
  reportProblems('judges', problems, judged)
}

/** @returns {string | undefined} why it failed */
function install() {
  write('package.json', JSON.stringify({ private: true, type: 'module', dependencies: { ...JUDGES, ...BESIDES } }))
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  return run('npm', args)[0]
}

/** Compiles a file. @param {string} file @returns {string[]} what is wrong with it */
function compile(file) {
  const strict = ['--noEmit', '--strict', '--ignoreConfig', '--types', '']
  const modules = ['--module', 'nodenext', '--moduleResolution', 'nodenext', '--target', 'es2022']
  return run(join(root, 'node_modules/.bin/tsc'), [...strict, ...modules, file])
}

/** @param {string} name @param {string} text */
function write(name, text) {
  writeFileSync(join(folder, name), text)
}

/**
 * @param {string} command of the judges, of the system, or a path
 * @param {string[]} args
 * @returns {string[]} what it printed, if it failed
 */
function run(command, args) {
  const path = `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`
  const env = { ...process.env, PATH: path, REDOCLY_TELEMETRY: 'off' }
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' })
  return status === 0 ? [] : [`${command}: ${error?.message ?? `${stdout}${stderr}`.trim().slice(0, 10_000)}`]
}
