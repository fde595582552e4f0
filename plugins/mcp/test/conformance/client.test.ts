import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CLIENT_EXCEPTIONS } from './exceptions.ts'
import { hasJudge, judge, needs, requiredOf } from './judge.ts'

const CLIENT = fileURLToPath(new URL('client.mjs', import.meta.url))

const REVISIONS = ['2025-11-25', '2026-07-28'] as const

/** What each revision requires, and what came to the suite after it. */
const SCENARIOS = REVISIONS.flatMap((revision) =>
  [...requiredOf('client', revision), 'json-schema-2020-12-preservation'].map(
    (scenario) => [scenario, revision] as const,
  ),
)

const EXTENSIONS = ['auth/client-credentials-basic', 'auth/client-credentials-jwt']

const run = (scenario: string, ...more: readonly string[]) => {
  const command = ['--command', `${process.execPath} ${CLIENT}`]
  return judge(['client', ...command, '--scenario', scenario, '--timeout', '120000', ...more])
}

describe.skipIf(!hasJudge)('the official suite for clients', { timeout: 300_000 }, () => {
  it('has scenarios for both revisions, none of which is an exception', { meta: { needs } }, () => {
    for (const revision of REVISIONS) {
      const required = requiredOf('client', revision)
      expect(required.length).toBeGreaterThan(15)
      expect(required.filter((scenario) => Object.hasOwn(CLIENT_EXCEPTIONS, scenario))).toEqual([])
    }
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
