// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * A program that says `ready` on a line of its own, waits for a line, begins, and says in further lines how far it came.
 * @typedef {object} StartedChild
 * @property {import('node:child_process').ChildProcess} child
 * @property {Promise<string>} ready
 * @property {() => void} begin
 * @property {(index: number) => Promise<string>} line one of its lines, counted from 0; rejects when it ends before that
 * @property {Promise<number | NodeJS.Signals>} ended exit code or signal
 */

/**
 * Starts a program in a process of its own, so that several can begin at the same moment and be killed at any.
 * @param {string} file
 * @param {...string} args
 * @returns {StartedChild}
 */
export function startChild(file, ...args) {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (data) => {
    text += data
    child.emit('heard')
  })
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  // A process that was killed no longer reads.
  child.stdin.on('error', () => {})
  /** @param {number} index */
  const line = async (index) => {
    for (;;) {
      const lines = text.split('\n')
      if (lines.length > index + 1) return /** @type {string} */ (lines[index])
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The process ended after: ${text}`)
      await Promise.race([once(child, 'heard'), ended])
    }
  }
  return { child, ready: line(0), begin: () => child.stdin.write('go\n'), line, ended }
}
