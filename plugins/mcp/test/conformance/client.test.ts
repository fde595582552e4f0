import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { extensionsOf, hasJudge, judge, needs, requiredOf } from './judge.ts'

const CLIENT = fileURLToPath(new URL('client.mjs', import.meta.url))

const REVISIONS = ['2025-11-25', '2026-07-28'] as const

/** What each revision requires, and what came to the suite after it. */
const SCENARIOS = REVISIONS.flatMap((revision) =>
  [...requiredOf('client', revision), 'json-schema-2020-12-preservation'].map(
    (scenario) => [scenario, revision] as const,
  ),
)

const EXTENSIONS = extensionsOf('client')

const run = (scenario: string, ...more: readonly string[]) => {
  const command = ['--command', `${process.execPath} ${CLIENT}`]
  return judge(['client', ...command, '--scenario', scenario, '--timeout', '120000', ...more])
}

describe.skipIf(!hasJudge)('the official suite for clients', { timeout: 300_000 }, () => {
  it('has scenarios for both revisions and for extensions', { meta: { needs } }, () => {
    for (const revision of REVISIONS) expect(requiredOf('client', revision).length).toBeGreaterThan(15)
    expect(EXTENSIONS).toContain('sep-2640-client-verify-digest')
    expect(EXTENSIONS.length).toBeGreaterThanOrEqual(10)
  })

  it.each(SCENARIOS)('passes the scenario %s in revision %s', { meta: { needs } }, async (scenario, revision) => {
    const { passed, failed } = await run(scenario, '--spec-version', revision)
    expect(failed).toEqual([])
    expect(passed).toBeGreaterThan(0)
  })

  it.each(EXTENSIONS)('passes the extension scenario %s', { meta: { needs } }, async (scenario) => {
    const { passed, failed } = await run(scenario)
    expect(failed).toEqual([])
    expect(passed).toBeGreaterThan(0)
  })
})
