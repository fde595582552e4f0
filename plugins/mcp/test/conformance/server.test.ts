import { serve } from '@minions/server'
import { defineSkill } from '@minions/skills-runtime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenApp, openApp } from '../support/open-app.ts'
import { EMPTY_SCENARIOS, SERVER_EXCEPTIONS } from './exceptions.ts'
import { extensionsOf, hasJudge, judge, needs } from './judge.ts'
import { fixture } from './server/fixture.ts'

let app: OpenApp
let running: Awaited<ReturnType<typeof serve>>

beforeAll(async () => {
  if (!hasJudge) return
  app = await openApp({}, [fixture])
  await app.skills.registry.registerSkill(
    defineSkill({
      name: 'water-plants',
      version: '1.0.0',
      description: 'Waters the plants.',
      parameters_schema: { type: 'object' },
      execute: () => ({}),
    }),
  )
  running = await serve(app, { port: 0, withoutKey: true, rateLimit: false })
})

afterAll(async () => {
  if (!hasJudge) return
  await running.stop()
  await app.close()
})

const EXTENSIONS = extensionsOf('server')

/** True for a check of a scenario that is explained. */
function isException(check: string): boolean {
  return Object.hasOwn(SERVER_EXCEPTIONS, check.slice(0, check.indexOf(':')))
}

describe.skipIf(!hasJudge)('the official suite', { timeout: 600_000 }, () => {
  it.each(['2025-11-25', '2026-07-28'])(
    'passes whole for the server in revision %s',
    { meta: { needs } },
    async (revision) => {
      const { passed, failed } = await judge(['server', '--url', `${running.url}/mcp`, '--requirements', revision])
      expect(failed.filter((check) => !isException(check))).toEqual([])
      expect(passed).toBeGreaterThan(30)
    },
  )

  it('has scenarios for extensions', { meta: { needs } }, () => {
    expect(EXTENSIONS).toEqual(expect.arrayContaining(['tasks-lifecycle', 'sep-2640-skills-manifest']))
    expect(EXTENSIONS.length).toBeGreaterThanOrEqual(13)
  })

  it.each(EXTENSIONS)('passes for the extension scenario %s', { meta: { needs } }, async (scenario) => {
    const { passed, failed } = await judge(['server', '--url', `${running.url}/mcp`, '--scenario', scenario])
    expect(failed).toEqual([])
    expect(passed > 0).toBe(!Object.hasOwn(EMPTY_SCENARIOS, scenario))
  })
})
