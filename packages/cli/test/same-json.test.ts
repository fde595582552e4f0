import { cpSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { allCommands } from './support/commands.js'
import type { Comparison } from './support/comparisons/comparison.js'
import { COMPARISONS } from './support/comparisons/comparisons.js'
import { LOCAL } from './support/comparisons/local.js'
import { Minions, type Outcome } from './support/minions.js'
import { type Sample, sampleStore } from './support/sample-store.js'

const commands = (await allCommands()).map(({ words }) => words)

it('every command has an operation, or a reason to have none', () => {
  expect([...Object.keys(COMPARISONS), ...Object.keys(LOCAL)].sort()).toEqual([...commands].sort())
})

describe('a command prints as JSON what its operation gives', { timeout: 60_000 }, () => {
  let sample: Sample

  beforeAll(async () => {
    sample = await sampleStore()
  }, 120_000)

  it.each(Object.entries(COMPARISONS))('%s', async (words, compare) => {
    const comparisons = compare(sample)
    expect(comparisons).not.toEqual([])
    for (const comparison of comparisons) {
      const { args, operation, input, caller = [], part = (result) => result } = comparison
      const printed = await run(comparison, [...words.split(' '), ...args, ...caller])
      const given = await run(comparison, ['operations', 'run', operation, '--input', JSON.stringify(input), ...caller])
      expect(part(given), `${words} ${args.join(' ')}`).toEqual(printed)
    }
  })

  /** What a command line prints on a copy of the store, without what differs from one run to the next. */
  // biome-ignore lint/suspicious/noExplicitAny: what is read back is compared, not used
  async function run({ files = {} }: Comparison, args: readonly string[]): Promise<any> {
    const copy = new Minions()
    cpSync(sample.minions.home, copy.home, { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(copy.path(name), text)
    const outcome = await copy.here([...args, '--json', '--yes'])
    const printed = resultOf(args, outcome).replaceAll(copy.home, 'home')
    return withoutChance(printed, (id) => sample.everything.includes(id))
  }
})

function resultOf(args: readonly string[], { stdout, stderr }: Outcome): string {
  // A command that found something wrong ends with 1, and prints it.
  if (stdout === '') throw new Error(`minions ${args.join(' ')} printed nothing: ${stderr}`)
  return stdout
}

/** What was printed, with new ids, all times and durations made equal. */
function withoutChance(text: string, isKnown: (id: string) => boolean): unknown {
  const plain = text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => (isKnown(id) ? id : 'new id'))
    .replace(/mk_\w{16}_[\w-]{43}|(?<="id": ")[0-9a-f]{16}(?=")/g, 'new key')
    .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'time')
    .replace(/(?<=_ms": )\d+/g, '0')
  try {
    return JSON.parse(plain)
  } catch {
    return plain
  }
}
