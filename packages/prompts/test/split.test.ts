import { describe, expect, it } from 'vitest'
import { randomFrom } from '../src/compare/random.js'
import { compareGroups } from '../src/index.js'
import { chooseTarget, digestOf, targetFor } from '../src/labels/choose-target.js'
import type { LabelTarget } from '../src/labels/label-state.js'
import { inBrowser, sha256 } from '../src/labels/sha256.js'
import { backends, openStore } from './stores.js'

const KEYS = Array.from({ length: 100_000 }, (_, index) => `user-${index}`)

const digests = new Map<string, Promise<DataView[]>>()

/** The version that each key gets. */
async function assigned(weights: readonly number[], salt = 'salt'): Promise<string[]> {
  const targets = weights.map((weight, index) => ({ versionId: `version-${index}`, weight }))
  const known = digests.get(salt) ?? Promise.all(KEYS.map((key) => digestOf(salt, key)))
  digests.set(salt, known)
  return (await known).map((digest) => targetFor(targets as [LabelTarget, ...LabelTarget[]], digest).versionId)
}

function shares(versions: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const version of versions) counts.set(version, (counts.get(version) ?? 0) + 100 / versions.length)
  return counts
}

describe('a split', () => {
  it.each([[[50, 50]], [[90, 10]], [[99, 1]], [[60, 30, 10]], [[25, 25, 25, 25]], [[0, 100]]])(
    'gives each version its share of 100,000 keys: %j',
    async (weights) => {
      for (const salt of ['salt', 'b']) {
        const counts = shares(await assigned(weights, salt))
        for (const [index, weight] of weights.entries()) {
          expect(Math.abs((counts.get(`version-${index}`) ?? 0) - weight)).toBeLessThan(0.5)
        }
      }
    },
  )

  it.each([
    [[90, 10], [70, 30], 1],
    [[50, 50], [49, 51], 1],
    [[80, 10, 10], [60, 7.5, 32.5], 2],
  ])('moves as many keys as a share grows, all to that version: %j to %j', async (before, after, grown) => {
    const [first, second] = [await assigned(before), await assigned(after)]
    const moved = first.filter((version, index) => version !== second[index]).length / (KEYS.length / 100)
    // Where the others keep their proportions, only the grown share gets keys.
    const isKept = before.length === 2
    const gained = (after[grown] as number) - (before[grown] as number)
    if (isKept) {
      expect(Math.abs(moved - gained)).toBeLessThan(0.3)
      expect(first.every((version, index) => version === second[index] || second[index] === `version-${grown}`)).toBe(
        true,
      )
    }
    expect(moved).toBeGreaterThan(gained - 0.3)
  })

  it('moves nobody else when one of three grows at the cost of the others', async () => {
    const [first, second] = [await assigned([10, 45, 45]), await assigned([30, 35, 35])]
    const changed = second.filter((version, index) => version !== first[index])
    expect(Math.abs(changed.length / (KEYS.length / 100) - 20)).toBeLessThan(0.3)
    expect(new Set(changed)).toEqual(new Set(['version-0']))
  })

  it('hashes in Node as in a browser', async () => {
    for (const text of ['', 'salt\u0000key', 'ünïcode \u{1f600}']) {
      const [here, there] = [await sha256(text), await inBrowser(text)]
      const bytes = (view: DataView) => [...new Uint8Array(view.buffer, view.byteOffset, view.byteLength)]
      expect(bytes(here)).toEqual(bytes(there))
    }
  })

  it('is another with another salt, and the same whatever the order of versions', async () => {
    const targets = [30, 50, 20].map((weight, index) => ({ versionId: `version-${index}`, weight })) as [
      LabelTarget,
      ...LabelTarget[],
    ]
    const reversed = targets.toReversed() as [LabelTarget, ...LabelTarget[]]
    const here = await Promise.all(KEYS.slice(0, 1000).map((key) => chooseTarget(targets, 's', key)))
    const there = await Promise.all(KEYS.slice(0, 1000).map((key) => chooseTarget(reversed, 's', key)))
    expect(there).toEqual(here)
    const other = await Promise.all(KEYS.slice(0, 1000).map((key) => chooseTarget(targets, 't', key)))
    expect(other).not.toEqual(here)
  })
})

describe.each(backends)('splitting traffic on %s', (_, create) => {
  async function withVersions() {
    const store = await openStore(create())
    const prompt = await store.prompts.create({ title: 'P', name: 'p', content: 'zero' })
    await store.prompts.addVersion('p', { content: 'one' })
    await store.prompts.addVersion('p', { content: 'two' })
    return { ...store, prompt }
  }
  const halves = [
    { version: 1, weight: 50 },
    { version: 2, weight: 50 },
  ]
  const keys = KEYS.slice(0, 200)

  it('renders for a key what it gets, and stops at once', async () => {
    const { client, prompts } = await withVersions()
    await prompts.publish('p', 1)
    const state = await prompts.labels.split('p', 'production', halves, { by: 'ada', reason: 'try' })
    expect(state).toMatchObject({ move: 3, targets: [{ weight: 50 }, { weight: 50 }], by: 'ada', reason: 'try' })
    const texts = await Promise.all(keys.map((key) => prompts.render('p', {}, { key })))
    expect(new Set(texts)).toEqual(new Set(['one', 'two']))
    expect(await Promise.all(keys.map((key) => prompts.render('p', {}, { key, label: 'production' })))).toEqual(texts)
    // Without a key, the control.
    expect(await prompts.render('p')).toBe('one')
    expect(await prompts.render('p', {}, { label: 'production' })).toBe('one')
    expect((await prompts.published('p')).fields.content).toBe('one')
    // Raising a share keeps the salt, so nobody goes back.
    const raised = await prompts.labels.split('p', 'production', [
      { version: 1, weight: 20 },
      { version: 2, weight: 80 },
    ])
    expect(raised.salt).toBe(state.salt)
    const after = await Promise.all(keys.map((key) => prompts.render('p', {}, { key })))
    expect(after.every((text, index) => text === 'two' || texts[index] === 'one')).toBe(true)
    expect(await prompts.labels.stopSplit('p', 'production', undefined, { by: 'bo' })).toMatchObject({
      targets: [{ weight: 100 }],
      by: 'bo',
    })
    expect(new Set(await Promise.all(keys.map((key) => prompts.render('p', {}, { key }))))).toEqual(new Set(['one']))
    await prompts.labels.split('p', 'production', halves)
    await prompts.labels.stopSplit('p', 'production', 2)
    expect(await prompts.render('p')).toBe('two')
    await expect(prompts.labels.stopSplit('p', 'production')).rejects.toMatchObject({ code: 'SPLIT_INVALID' })
    await prompts.labels.split('p', 'staging', halves, { salt: 'mine' })
    expect(await prompts.labels.get('p', 'staging')).toMatchObject({ salt: 'mine', move: 1 })
    await client.close()
  })

  it('refuses weights that do not add up, and writes nothing', async () => {
    const { client, prompts } = await withVersions()
    const wrong: [number, number][][] = [
      [[1, 100]],
      [],
      [
        [1, 50],
        [2, 40],
      ],
      [
        [1, 50],
        [2, 60],
      ],
      [
        [1, -10],
        [2, 110],
      ],
      [
        [1, Number.NaN],
        [2, 50],
      ],
      [
        [1, 50],
        [1, 50],
      ],
    ]
    for (const list of wrong) {
      const shares = list.map(([version, weight]) => ({ version, weight }))
      await expect(prompts.labels.split('p', 'production', shares)).rejects.toMatchObject({ code: 'SPLIT_INVALID' })
    }
    const unknown = [
      { version: 1, weight: 50 },
      { version: 9, weight: 50 },
    ]
    await expect(prompts.labels.split('p', 'production', unknown)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await prompts.labels.split('p', 'staging', [
      { version: 0, weight: 33.3 },
      { version: 1, weight: 33.3 },
      { version: 2, weight: 33.4 },
    ])
    expect(await prompts.labels.history('p', 'production')).toEqual([])
    await client.close()
  })

  it('compares what was collected of both versions', async () => {
    const { client, prompts } = await withVersions()
    await prompts.labels.split('p', 'production', halves, { salt: 'fixed' })
    expect(await prompts.labels.compare('p', 'production')).toMatchObject({
      control: { results: 0 },
      versions: [{ results: 0, comparison: null }],
    })
    for (const [index, key] of keys.slice(0, 80).entries()) {
      const text = await prompts.render('p', {}, { key })
      const score = 50 + (index % 10) + (text === 'two' ? 20 : 0)
      const outcome = { scores: { helpful: score }, passed: score > 60, renderedPrompt: text, model: 'large-3' }
      const result = await prompts.labels.record('p', 'production', key, outcome, { by: 'judge' })
      expect(result.fields).toMatchObject({ renderedPrompt: text, metadata: { label: 'production', model: 'large-3' } })
    }
    // Said again of the same key, the last counts.
    await prompts.labels.record('p', 'production', keys[0] as string, { scores: { helpful: 0 }, passed: false })
    const { control, versions } = await prompts.labels.compare('p', 'production')
    expect(control.results + (versions[0]?.results ?? 0)).toBe(80)
    expect(versions[0]?.comparison).toMatchObject({
      verdict: 'b',
      dimensions: [{ dimension: 'helpful', verdict: 'b' }],
    })
    await expect(
      prompts.labels.record('p', 'production', 'k', { scores: { helpful: 200 }, passed: true }),
    ).rejects.toMatchObject({
      code: 'SCORES_INVALID',
    })
    await expect(prompts.labels.compare('p', 'latest')).rejects.toMatchObject({ code: 'SPLIT_INVALID' })
    await client.close()
  })
})

describe('two groups', () => {
  it('differ by chance in at most one of twenty comparisons, and are told apart where they differ', () => {
    const random = randomFrom(7)
    // Twelve uniform numbers make a normal one.
    const normal = () => Array.from({ length: 12 }, () => random() / 2 ** 32).reduce((sum, value) => sum + value, -6)
    const group = (mean: number, n: number) =>
      Array.from({ length: n }, () => ({ s: Math.round(Math.min(100, Math.max(0, mean + 12 * normal()))) }))
    const winners = (difference: number) => {
      let found = 0
      for (let run = 0; run < 400; run++) {
        if (compareGroups(group(50, 40), group(50 + difference, 60)).verdict !== 'inconclusive') found += 1
      }
      return found / 400
    }
    expect(winners(0)).toBeLessThan(0.075)
    expect(winners(8)).toBeGreaterThan(0.85)
  })

  it('have the numbers of Welch', () => {
    const a = [20, 22, 19, 20, 22, 18, 24, 20, 22, 24, 23, 25].map((s) => ({ s }))
    const b = [26, 24, 26, 24, 27, 24, 30, 25].map((s) => ({ s }))
    const [dimension] = compareGroups(a, b).dimensions
    // By scipy.stats.ttest_ind(equal_var=False): t = 4.3261, p = 0.000531 with 15.86 degrees of freedom, here rounded down.
    expect(dimension).toMatchObject({ n: 8, meanA: 21.583333333333332, meanB: 25.75 })
    expect(dimension?.pValue).toBeGreaterThan(0.000531)
    expect(dimension?.pValue).toBeLessThan(0.00065)
    expect(() => compareGroups([{ s: 1 }], [{ s: 2 }])).toThrow(/nothing to compare/)
  })
})
