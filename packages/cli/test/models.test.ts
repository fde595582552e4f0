import { startFakeModelServer } from '@minions/models/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { playRoles } from '../../../plugins/models/test/support/play-roles.js'
import { Minions } from './support/minions.js'

async function fakeModel(replies: Parameters<typeof startFakeModelServer>[0]['replies']) {
  const server = await startFakeModelServer({ replies })
  onTestFinished(() => server.close())
  return { server, model: `openai-compatible:${server.url}#llama3` }
}

describe('models', () => {
  it('lists and tests the model of the environment', async () => {
    const { model } = await fakeModel([{ text: 'ready' }])
    const minions = new Minions()
    const listed = await minions.here(['models', 'list'], { env: { MINIONS_MODEL: model } })
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('openai-compatible/llama3') })
    const tested = await minions.here(['models', 'test', '--json'], { env: { MINIONS_MODEL: model } })
    expect(tested.code).toBe(0)
    expect(JSON.parse(tested.stdout)).toMatchObject([{ role: 'default', ok: true, text: 'ready' }])
  })

  it('says what does not answer, without its key', async () => {
    const { model } = await fakeModel([
      { fault: { status: 401, body: '{"error":{"message":"bad key planted-key-1"}}' } },
    ])
    const minions = new Minions()
    const env = { MINIONS_MODEL: model, MINIONS_MODEL_API_KEY: 'planted-key-1' }
    const { code, stdout, stderr } = await minions.here(['models', 'test'], { env })
    expect(code).toBe(1)
    expect(stdout).toContain('MODEL_UNAUTHORIZED')
    expect(stdout + stderr).not.toContain('planted-key-1')
    expect((await minions.here(['models', 'test'])).code).toBe(1)
  })
})

describe('demo --model', () => {
  it('runs the example mission on a model', async () => {
    const { server, model } = await fakeModel(playRoles)
    const minions = new Minions()
    const { code, stdout } = await minions.here(['demo', './mission', '--model', model])
    expect(code).toBe(0)
    expect(stdout).toMatch(/completed, 9 of 9 tasks/)
    expect(server.requests.length).toBeGreaterThan(7)
  })
})
