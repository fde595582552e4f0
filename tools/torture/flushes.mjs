// @ts-check
// Counts how often a process flushes files to the disk while it creates minions, as the system sees it.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argv, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { loadCore, makeBackend } from './backends.mjs'

const self = fileURLToPath(import.meta.url)

/** Whether this machine lets a process be traced. */
export function canTrace() {
  try {
    execFileSync('strace', ['-qq', '-e', 'trace=none', execPath, '-e', '0'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/**
 * Flushes that creating so many minions takes: one after another, then all at once. Opening and closing are not counted.
 * @param {import('./backends.mjs').BackendDescription} backend
 * @param {{ inTurn: number, together: number }} counts
 */
export async function countFlushes(backend, counts) {
  const folder = mkdtempSync(join(tmpdir(), 'minions-flushes-'))
  const trace = join(folder, 'trace')
  try {
    const command = ['-f', '-qq', '-e', 'trace=fsync,fdatasync,mkdir', '-o', trace, execPath, self]
    await promisify(execFile)('strace', [...command, JSON.stringify({ backend, counts, marks: folder })])
    const lines = readFileSync(trace, 'utf8').split('\n')
    const mark = (/** @type {number} */ count) => lines.findIndex((line) => line.includes(`${folder}/mark${count}`))
    const between = (/** @type {number} */ from, /** @type {number} */ to) =>
      lines.slice(mark(from), mark(to)).filter((line) => /f(data)?sync\(/.test(line)).length
    return { inTurn: between(0, 1), together: between(1, 2) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (argv[1] === self) {
  const { backend, counts, marks } = JSON.parse(argv[2] ?? '{}')
  const { Minions } = await loadCore()
  const { mkdirSync } = await import('node:fs')
  const minions = await Minions.open({ storage: await makeBackend(backend) })
  const create = (/** @type {unknown} */ _, /** @type {number} */ index) =>
    minions.create('note', { title: `${index}`, fields: { content: `number ${index}` } })
  // A trace shows the folders that are made, which tell when each part begins and ends.
  mkdirSync(join(marks, 'mark0'))
  for (let index = 0; index < counts.inTurn; index++) await create(undefined, index)
  mkdirSync(join(marks, 'mark1'))
  await Promise.all(Array.from({ length: counts.together }, create))
  mkdirSync(join(marks, 'mark2'))
  await minions.close()
}
