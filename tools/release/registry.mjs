// @ts-check
// A registry of our own on loopback, for the rehearsal of a release: ours are published to it, everything else comes
// from the registry that npm is configured with.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { freePort } from '../free-port.mjs'

/** The newest version that runs on the oldest Node we support. */
const VERDACCIO = '6.8.0'

/** How long the registry may take to answer its first request, on a busy machine. */
const START_LIMIT_MS = 120_000

/**
 * Installs and starts the registry.
 *
 * @param {string} folder an empty folder, which keeps everything
 * @returns {Promise<{ url: string, env: NodeJS.ProcessEnv, stop(): Promise<void> }>} `env` makes npm use it
 */
export async function startRegistry(folder) {
  mkdirSync(folder, { recursive: true })
  // Verdaccio depends on a distribution tag of node-fetch, which not every mirror knows; the version is the same.
  const manifest = { private: true, dependencies: { verdaccio: VERDACCIO }, overrides: { 'node-fetch': '2.7.0' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  npm(folder, ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'])

  const upstream = npm(folder, ['config', 'get', 'registry']).trim()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(configuration(folder, upstream), null, 2))
  const registry = spawn(
    join(folder, 'node_modules/.bin/verdaccio'),
    ['--config', join(folder, 'config.yaml'), '--listen', url],
    { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const ended = new Promise((resolve) => registry.once('exit', resolve))
  await untilItAnswers(url, registry)
  return {
    url,
    env: {
      ...env,
      npm_config_registry: url,
      // npm refuses to publish without a token; the registry takes any.
      [`npm_config_//127.0.0.1:${port}/:_authToken`]: 'rehearsal',
      // Published twice under one version, a package would be taken from the cache of the first time.
      npm_config_cache: join(folder, 'cache'),
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
    },
    async stop() {
      registry.kill()
      await ended
    },
  }
}

/** @param {string} folder @param {string} upstream */
function configuration(folder, upstream) {
  const ours = { access: '$all', publish: '$anonymous' }
  return {
    storage: join(folder, 'storage'),
    uplinks: { upstream: { url: upstream, timeout: '60s', maxage: '1h' } },
    packages: { '@minions/*': ours, 'create-minions{,-*}': ours, '**': { access: '$all', proxy: 'upstream' } },
    max_body_size: '50mb',
    log: { type: 'stdout', format: 'json', level: 'error' },
  }
}

/** @param {string} folder @param {string[]} args */
function npm(folder, args) {
  return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

/** @param {string} url @param {import('node:child_process').ChildProcess} registry */
async function untilItAnswers(url, registry) {
  const deadline = Date.now() + START_LIMIT_MS
  while (Date.now() < deadline && registry.exitCode === null) {
    try {
      if ((await fetch(`${url}-/ping`)).ok) return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
  registry.kill()
  throw new Error(`The registry at ${url} did not answer; run its command by hand to see why.`)
}
