// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const WORKER = fileURLToPath(new URL('./worker.mjs', import.meta.url))

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

/** Starts a worker and resolves when it takes jobs. @param {object} options @returns {Promise<ChildProcess>} */
export async function startWorker(options) {
  const child = spawn(process.execPath, [WORKER, JSON.stringify(options)], { stdio: 'pipe' })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    output += chunk
  })
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    output += chunk
    if (output.includes('ready')) return child
  }
  throw new Error(`A worker did not start: ${output}`)
}

/** Ends a worker in the hard way, also one that stands still. @param {ChildProcess} child */
export async function killWorker(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** Runs work with so many workers, and ends them. @template T @param {object} options @param {number} count @param {() => Promise<T>} work */
export async function withWorkers(options, count, work) {
  const workers = await Promise.all(Array.from({ length: count }, () => startWorker(options)))
  try {
    return await work()
  } finally {
    await Promise.all(workers.map(killWorker))
  }
}
