// @ts-check
import { fork } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { listFiles, root } from '../packages.mjs'
import { randomFrom } from '../torture/random.mjs'
import { mutantsOf } from './mutants.mjs'
import { targets } from './targets.mjs'

/** @import { Breach, Suite, Target } from './targets.mjs' */
/** @import { Mutant } from './mutants.mjs' */

const usage = `Changes sources one place at a time and runs the tests that should notice.

  npm run mutate                             a sample of 10 mutants for each target
  npm run mutate -- --sample 100 leases      more of them, in the areas that are named
  npm run mutate -- storage-sqlite           only the targets whose paths have this in them
  npm run mutate -- --seed 7                 another sample
  npm run mutate -- --sample 0               only the promises that every run breaks

Writes tools/mutate/results.json; survivors are explained in tools/mutate/SURVIVORS.md.`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  console.log(usage)
  process.exit(0)
}
const [sample, seed] = [Number(values.sample), Number(values.seed)]

/** A mutant may take so many times as long as the tests do without one. */
const PATIENCE = 5
const LEAST_PATIENCE = 30_000

/** @type {{ area: string, file: string, line: number, what: string, outcome: 'killed' | 'timed out' | 'survived' }[]} */
const results = []
for (const target of positionals.length === 0 ? targets : targets.filter(isNamed)) {
  const started = Date.now()
  await mutate(target)
  report()
  console.error(`${target.area} in ${pathsOf(target)[0]}: ${((Date.now() - started) / 1000).toFixed(0)} s`)
}
if (!(report() >= 85)) process.exitCode = 1

/** By its area, or by a part of a path. @param {Target} target */
function isNamed(target) {
  return positionals.some((name) => name === target.area || pathsOf(target).some((path) => path.includes(name)))
}

/** @param {Target} target */
function pathsOf({ files, always = [] }) {
  return [...files, ...always.map(({ file }) => file)]
}

/** Writes down what is known so far, and returns how many in a hundred were killed. */
function report() {
  const survivors = results.filter(({ outcome }) => outcome === 'survived')
  const killed = results.length - survivors.length
  const share = (100 * killed) / results.length
  for (const { file, line, what } of survivors) console.log(`survived: ${file}:${line} ${what}`)
  console.log(`${killed} of ${results.length} killed (${share.toFixed(1)} %), seed ${seed}`)
  const file = join(root, 'tools/mutate/results.json')
  writeFileSync(file, `${JSON.stringify({ seed, sample, killed, mutants: results.length, results }, null, 2)}\n`)
  return share
}

/** @param {Target} target */
async function mutate(target) {
  const breaches = (target.always ?? []).map(breachOf)
  const chosen = [...breaches, ...choose(target)]
  if (chosen.length === 0) return
  const suites = await Promise.all(target.suites.map(startSuite))
  try {
    for (const suite of suites) await suite.measure()
    for (const place of chosen) {
      const { file, source, mutant } = place
      const code = source.slice(0, mutant.start) + mutant.text + source.slice(mutant.end)
      const outcome = await tryMutant(suites, { file, code })
      if (outcome === 'survived' && breaches.includes(place)) process.exitCode = 1
      const line = source.slice(0, mutant.start).split('\n').length
      results.push({ area: target.area, file: relative(root, file), line, what: mutant.what, outcome })
      console.error(`${outcome}: ${relative(root, file)}:${line} ${mutant.what}`)
    }
  } catch (error) {
    console.log(`${pathsOf(target).join(', ')} was left out. ${error}`)
    process.exitCode = 1
  } finally {
    for (const suite of suites) suite.stop()
  }
}

/** @param {Awaited<ReturnType<typeof startSuite>>[]} suites @param {{ file: string, code: string }} mutant */
async function tryMutant(suites, mutant) {
  for (const suite of suites) {
    const outcome = await suite.run(mutant)
    if (outcome !== 'survived') return outcome
  }
  return 'survived'
}

/** Tests that can be run again and again. @param {Suite} suite */
async function startSuite(suite) {
  let runner = await startRunner(suite)
  let patience = 600_000
  const run = async (/** @type {{ file: string, code: string } | undefined} */ mutant) => {
    const outcome = await runner.run(mutant, patience)
    if (outcome !== 'timed out' && runner.isAlive) return outcome
    runner.stop()
    runner = await startRunner(suite)
    return outcome
  }
  return {
    run,
    stop: () => runner.stop(),
    /** Finds out how long the tests take without a mutant. */
    async measure() {
      const started = performance.now()
      if ((await run(undefined)) !== 'survived') throw new Error(`The tests of ${suite.package} fail without a mutant.`)
      patience = Math.max(LEAST_PATIENCE, (performance.now() - started) * PATIENCE)
    },
  }
}

/** A sample of the mutants of a target, the same for the same seed. @param {Target} target */
function choose({ files }) {
  const random = randomFrom(seed)
  /** @type {{ file: string, source: string, mutant: Mutant, at: number }[]} */
  const all = files.flatMap(filesAt).flatMap((file) => {
    const source = readFileSync(file, 'utf8')
    return mutantsOf(file, source).map((mutant) => ({ file, source, mutant, at: random() }))
  })
  return all.sort((a, b) => a.at - b.at).slice(0, sample)
}

/** @param {Breach} breach */
function breachOf({ file, from, to }) {
  const source = readFileSync(join(root, file), 'utf8')
  const start = source.indexOf(from)
  if (start < 0 || source.includes(from, start + 1)) throw new Error(`“${from}” must occur once in ${file}.`)
  const what = `${from} → ${to || 'nothing'}`.replace(/\s+/g, ' ')
  return { file: join(root, file), source, mutant: { start, end: start + from.length, text: to, what } }
}

/** @param {string} path @returns {string[]} */
function filesAt(path) {
  const absolute = join(root, path)
  if (!statSync(absolute).isDirectory()) return [absolute]
  return listFiles(absolute)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(absolute, file))
}

/** @param {Suite} suite */
async function startRunner({ package: folder, tests, named }) {
  const argument = JSON.stringify({ folder: join(root, folder), tests, named })
  const child = fork(fileURLToPath(new URL('./runner.mjs', import.meta.url)), [argument], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // A group of its own, so that a test that never ends goes with it.
    detached: true,
  })
  await new Promise((resolve) => child.once('message', resolve))
  return {
    /** A mutant may have ended the process. */
    get isAlive() {
      return child.connected
    },
    stop() {
      if (child.connected && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    },
    /** @param {{ file: string, code: string } | undefined} mutant @param {number} patience */
    run: (mutant, patience) =>
      /** @type {Promise<'killed' | 'timed out' | 'survived'>} */ (
        new Promise((resolve) => {
          const timer = setTimeout(() => resolve('timed out'), patience)
          const end = (/** @type {'killed' | 'survived'} */ outcome) => {
            clearTimeout(timer)
            child.off('message', hear)
            child.off('exit', die)
            resolve(outcome)
          }
          const hear = (/** @type {any} */ { killed, failed = [] }) => {
            if (killed && mutant === undefined) console.error(`fails without a mutant: ${failed.join(', ')}`)
            end(killed ? 'killed' : 'survived')
          }
          const die = () => end('killed')
          child.on('message', hear)
          child.on('exit', die)
          child.send(mutant ?? {})
        })
      ),
  }
}
