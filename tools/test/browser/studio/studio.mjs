// @ts-check
// The Studio as a user has it: the real command, on a store of its own, in a real browser.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import { root } from '../../../packages.mjs'
import { launchChromium } from '../chromium.mjs'

/** @import { ChildProcess } from 'node:child_process' */
/** @import { Browser, Page } from 'playwright-core' */

/** Milliseconds that something on a page may take on a machine with much else to do. */
export const PATIENCE = 60_000

const BINARY = join(root, 'packages/cli/bin/minions.js')

/**
 * A folder of its own for everything that a test starts.
 *
 * @param {string} folder
 */
function environment(folder) {
  const { MINIONS_STORAGE: _storage, MINIONS_TENANT: _tenant, ...env } = process.env
  return { ...env, MINIONS_HOME: join(folder, 'home'), NO_COLOR: '1' }
}

/** Runs the command to its end and gives what it printed. @param {string} folder @param {string[]} args */
export function minions(folder, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BINARY, ...args], {
    cwd: folder,
    env: environment(folder),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`minions ${args.join(' ')} ended with ${status}: ${stderr}`)
  return stdout
}

/** Runs an operation and gives its result. @param {string} folder @param {string} name @param {object} input @param {string[]} more */
export function run(folder, name, input, ...more) {
  const args = ['operations', 'run', name, '--input', JSON.stringify(input), '--storage', storageOf(folder), ...more]
  return JSON.parse(minions(folder, ...args))
}

/** @param {string} folder */
export function storageOf(folder) {
  return `sqlite:${join(folder, 'store/minions.db')}`
}

/** Starts a command that goes on until it is stopped, and gives the first JSON that it prints. @param {string} folder @param {string[]} args */
export async function startCommand(folder, ...args) {
  const child = spawn(process.execPath, [BINARY, ...args, '--json'], {
    cwd: folder,
    env: environment(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { child, printed: await firstJson(child) }
}

/** @param {ChildProcess} child @returns {Promise<any>} */
function firstJson(child) {
  return new Promise((resolve, reject) => {
    let text = ''
    let errors = ''
    child.stderr?.on('data', (chunk) => {
      errors += chunk
    })
    child.on('exit', (status) => reject(new Error(`The command ended with ${status}: ${errors}`)))
    child.stdout?.on('data', (chunk) => {
      text += chunk
      try {
        resolve(JSON.parse(text))
      } catch {
        // The rest is on its way.
      }
    })
  })
}

/** Ends a command as Ctrl-C does. @param {ChildProcess} child @param {NodeJS.Signals} signal */
export function endCommand(child, signal = 'SIGINT') {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    child.once('exit', () => resolve(undefined))
    child.kill(signal)
  })
}

/** What a suite has: a store with the data of the demo, the Studio on it, and a browser. */
export class Bench {
  /** @type {Browser | undefined} */ #browser
  /** @type {ChildProcess[]} */ #children = []
  #patience
  folder = mkdtempSync(join(tmpdir(), 'minions-studio-'))
  url = ''

  /** @param {{ patience?: number }} [options] milliseconds that something on a page may take */
  constructor({ patience = PATIENCE } = {}) {
    this.#patience = patience
  }

  /** @param {{ demo?: boolean, args?: string[] }} [options] */
  async open({ demo = true, args = [] } = {}) {
    if (demo) minions(this.folder, 'demo', 'store')
    this.#browser = await launchChromium()
    this.url = await this.studio(storageOf(this.folder), ...args)
  }

  /** Opens the Studio on a store and gives its address. @param {string} storage @param {string[]} args */
  async studio(storage, ...args) {
    const { child, printed } = await startCommand(this.folder, 'studio', storage, '--no-open', ...args)
    this.#children.push(child)
    return /** @type {string} */ (printed.url)
  }

  /**
   * Calls an operation of the Studio's server, as the user of the Studio.
   *
   * @param {string} name
   * @param {object} input
   * @returns {Promise<any>}
   */
  async call(name, input) {
    const { origin, hash } = new URL(this.url)
    const response = await fetch(`${origin}/api/operations/${name}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${hash.slice('#key='.length)}`,
        'content-type': 'application/json',
        // On a busy machine a call would otherwise be answered with a run that goes on.
        prefer: `wait=${PATIENCE / 1000}`,
      },
      body: JSON.stringify(input),
    })
    if (!response.ok) throw new Error(`${name} ended with ${response.status}: ${await response.text()}`)
    return response.json()
  }

  /** Starts another command of the user. @param {string[]} args */
  async start(...args) {
    const { child, printed } = await startCommand(this.folder, ...args)
    this.#children.push(child)
    return { child, printed }
  }

  /**
   * A new tab at an address of the Studio. Anything that the policy blocks, that is sent to another host, or that is thrown
   * fails the test when the tab is closed.
   *
   * @param {string} [path] below /studio
   * @param {string} [url] of the Studio, with its key
   */
  async tab(path = '/', url = this.url) {
    const context = await /** @type {Browser} */ (this.#browser).newContext({ viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    page.setDefaultTimeout(this.#patience)
    /** @type {string[]} */
    const problems = []
    page.on('pageerror', ({ message }) => problems.push(message))
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) problems.push(message.text())
    })
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== new URL(url).origin) problems.push(`a request to ${request.url()}`)
    })
    const { origin, hash } = new URL(url)
    await page.goto(`${origin}/studio${path}${hash}`)
    return {
      page,
      async close() {
        await context.close()
        if (problems.length > 0) throw new Error(`The page had problems:\n${problems.join('\n')}`)
      },
    }
  }

  async close() {
    await this.#browser?.close()
    await Promise.all(this.#children.map((child) => endCommand(child)))
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Fails on anything that keeps people from using the page. @param {Page} page */
export async function expectAccessible(page) {
  // As an expression from outside, which the policy of the page does not concern.
  await page.evaluate(axe.source)
  const { violations } = /** @type {any} */ (await page.evaluate('axe.run()'))
  const grave = violations.filter((/** @type {any} */ { impact }) => impact === 'serious' || impact === 'critical')
  if (grave.length === 0) return
  const told = grave.map(
    (/** @type {any} */ { id, nodes }) => `${id}: ${nodes.map((/** @type {any} */ node) => node.html).join(' | ')}`,
  )
  throw new Error(`${page.url()} keeps people out:\n${told.join('\n')}`)
}
