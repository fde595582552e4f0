// @ts-check
// Lets the official conformance suite of MCP judge the plugin, on built packages, and lets the official servers be its
// peers: `npm run conformance`. All of them are installed into a temporary folder, with the Node that the suite needs.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { arch, env, platform } from 'node:process'
import { root } from '../packages.mjs'

const PEERS = {
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  '@modelcontextprotocol/server-everything': '2026.8.31',
  '@modelcontextprotocol/server-memory': '2026.8.31',
  '@modelcontextprotocol/server-filesystem': '2026.8.31',
  // The suite needs Node 22 or newer. The package has the release itself and runs no script when it is installed.
  [`node-${platform}-${arch}`]: '24.18.1',
}

/** Tests of the plugin that need the peers. */
const TESTS = ['test/conformance', 'test/peers.test.ts', 'test/kills.test.ts']

const folder = mkdtempSync(join(tmpdir(), 'minions-mcp-'))
try {
  const failed = install()
  if (failed === undefined) process.exitCode = judge()
  else console.log(`conformance: left out, since the peers cannot be installed: ${failed}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** @returns {string | undefined} why it failed */
function install() {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: PEERS }))
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  const { status, stdout, stderr, error } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  return status === 0 ? undefined : (error?.message ?? `${stdout}${stderr}`.trim().slice(0, 2000))
}

/** @returns {number} the exit code */
function judge() {
  const { status } = spawnSync('npx', ['vitest', 'run', ...TESTS], {
    cwd: join(root, 'plugins/mcp'),
    env: { ...env, MINIONS_MCP_PEERS: folder, MINIONS_MCP_KILLS: env.MINIONS_MCP_KILLS ?? '20' },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return status ?? 1
}
