import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../../../tools/free-port.mjs'
import { withClient } from './redis.ts'

/** True if a server can be started here, to be killed and filled. */
export const canStartServer = (() => {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

export const needsOwnServer = { meta: { needs: 'the program redis-server: install Redis 7' } }

/** A Redis of our own on a free port of the loopback, which can be killed and started again, empty. */
export class OwnServer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'minions-redis-'))
  readonly #settings: readonly string[]
  #port = 0
  #process: ChildProcess | undefined

  constructor(settings: readonly string[] = []) {
    this.#settings = settings
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}/0`
  }

  async start(): Promise<this> {
    this.#port ||= await freePort()
    const fixed = ['--bind', '127.0.0.1', '--port', String(this.#port), '--dir', this.#folder, '--save', '']
    this.#process = spawn('redis-server', [...fixed, '--appendonly', 'no', ...this.#settings], { stdio: 'pipe' })
    for await (const chunk of this.#process.stdout ?? []) if (String(chunk).includes('Ready to accept')) break
    return this
  }

  /** Ends it at once; what it held is lost. */
  async kill(): Promise<void> {
    const running = this.#process
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
    const ended = once(running, 'exit')
    running.kill('SIGKILL')
    await ended
  }

  async command(...words: [string, ...string[]]): Promise<unknown> {
    return withClient(this.url, (client) => client.call(...words))
  }

  async dispose(): Promise<void> {
    await this.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
