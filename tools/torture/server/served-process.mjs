// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '../../free-port.mjs'
import { root } from '../../packages.mjs'

const BIN = join(root, 'packages/cli/bin/minions.js')

/**
 * `minions serve` as a process that is killed and started again, each time at the same address.
 * @typedef {object} ServedOptions
 * @property {string} home folder of the command's own files
 * @property {string} storage URL of the store
 */
export class ServedProcess {
  /** @type {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, null> | undefined} */
  #child
  #options
  #port

  /** @param {ServedOptions} options @param {number} port */
  constructor(options, port) {
    this.#options = options
    this.#port = port
  }

  /** @param {ServedOptions} options */
  static async start(options) {
    const served = new ServedProcess(options, await freePort())
    await served.start()
    return served
  }

  get url() {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Resolves when it listens. */
  async start() {
    const child = spawn(process.execPath, [BIN, 'serve', '--port', String(this.#port)], {
      cwd: this.#options.home,
      env: environment(this.#options),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    this.#child = child
    let output = ''
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      output += chunk
      if (!output.includes(this.url)) continue
      // What is not read would fill the pipe.
      child.stdout.resume()
      return
    }
    throw new Error(`minions serve did not start: ${output}`)
  }

  /**
   * Ends the process, at once or as it is told to.
   * @param {'SIGKILL' | 'SIGTERM'} [signal]
   * @returns {Promise<number | NodeJS.Signals>} exit code, or the signal that ended it
   */
  async end(signal = 'SIGKILL') {
    const child = this.#child
    if (!child) return 0
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal)
      await once(child, 'exit')
    }
    return child.exitCode ?? child.signalCode ?? 0
  }
}

/**
 * Runs a command line of `minions` to its end, and gives what it printed.
 * @param {ServedOptions} options
 * @param {readonly string[]} args
 */
export async function minions(options, args) {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: options.home,
    env: environment(options),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`minions ${args.join(' ')} ended with ${code}: ${errors}`)
  return output.trim()
}

/** @param {ServedOptions} options */
function environment({ home, storage }) {
  return { PATH: process.env.PATH, HOME: home, MINIONS_HOME: home, MINIONS_STORAGE: storage }
}
