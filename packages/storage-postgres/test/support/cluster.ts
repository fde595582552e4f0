import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../../tools/free-port.mjs'

/** The folder of PostgreSQL's programs; undefined where it is not installed. */
export const binaries = findBinaries()

/** A server of its own, to be stopped and started. */
export interface Cluster {
  readonly url: string
  start(): void
  stop(mode: 'fast' | 'immediate'): void
  remove(): void
}

export async function createCluster(): Promise<Cluster> {
  if (binaries === undefined) throw new Error('PostgreSQL is not installed')
  const bin = binaries
  const folder = mkdtempSync(join(tmpdir(), 'minions-cluster-'))
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? 'postgres' : undefined
  if (user) chownSync(folder, Number(execFileSync('id', ['-u', user])), Number(execFileSync('id', ['-g', user])))
  const data = join(folder, 'data')
  const run = (program: string, ...args: string[]) => {
    const command = [join(bin, program), ...args]
    const [file = '', ...rest] = user ? ['runuser', '-u', user, '--', ...command] : command
    execFileSync(file, rest, { stdio: 'ignore', cwd: folder })
  }
  run('initdb', '-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-sync')
  const port = await freePort()
  const settings = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1`
  const control = (...args: string[]) => run('pg_ctl', '-D', data, '-w', '-l', join(folder, 'log'), ...args)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start: () => control('-o', settings, 'start'),
    stop: (mode) => control('-m', mode, 'stop'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function findBinaries(): string | undefined {
  const installed = '/usr/lib/postgresql'
  const versions = existsSync(installed) ? readdirSync(installed).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(process.env.PATH ?? '').split(':'),
    ...versions.map((version) => join(installed, version, 'bin')),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')))
}
