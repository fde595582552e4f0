import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fakeServer, modelOn } from './support/app.js'
import { envelope, folder, missionApp } from './support/mission.js'
import { playRoles } from './support/play-roles.js'

test('runs the example mission on models, counts every token, and replays without asking', async () => {
  const server = await fakeServer(playRoles)
  const app = await missionApp({ default: modelOn(server), roles: { worker: modelOn(server, 'small') } })
  onTestFinished(() => app.close())
  const mission = envelope()
  const result = await app.colony.run(mission)
  expect(result).toMatchObject({ status: 'completed', review: { review_status: 'approved' } })
  const calls = server.requests.length
  expect(result.tokens_used).toBe(calls * 15)
  const workers = app.models.usage().find(({ role }) => role === 'worker')
  expect(workers).toMatchObject({ model: 'fake/small', calls: 4, inputTokens: 44, outputTokens: 16 })

  const replay = await app.colony.forTenant(mission.tenant_id).replay(mission.mission_id)
  expect(replay).toMatchObject({ clean: true })
  expect(server.requests).toHaveLength(calls)
})

test('repairs an answer with its errors, and counts both answers', async () => {
  let spoiled = 0
  const server = await fakeServer((request) => {
    const isWorker = JSON.stringify(request.body).includes('output_text')
    if (isWorker && spoiled++ === 0) return { text: '{"output_text":"x","confidence":7}' }
    return playRoles(request)
  })
  const app = await missionApp({ default: modelOn(server) })
  onTestFinished(() => app.close())
  const result = await app.colony.run(envelope())
  expect(result.status).toBe('completed')
  const repair = server.requests.find(({ body }) =>
    JSON.stringify(body.messages).includes('That does not match the schema'),
  )
  expect(JSON.stringify(repair?.body.messages)).toContain('/confidence')
  expect(result.tokens_used).toBe(server.requests.length * 15)
})

test('does not pay for an answer twice when a mission is resumed', async () => {
  const storage = `sqlite:${join(folder, 'resumed.db')}`
  const mission = envelope()
  let isSilent = true
  const server = await fakeServer((request) => {
    const isReview = JSON.stringify(request.body).includes('"review"')
    return isReview && isSilent ? { fault: 'silent' } : playRoles(request)
  })
  const first = await missionApp({ default: modelOn(server) }, storage)
  const running = first.colony.run(mission).catch((error: unknown) => error)
  while (!server.requests.some(({ body }) => JSON.stringify(body.response_format).includes('"review"'))) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const paid = server.paid
  await first.close()
  await running
  isSilent = false
  const second = await missionApp({ default: modelOn(server) }, storage)
  onTestFinished(() => second.close())
  const result = await second.colony.forTenant(mission.tenant_id).resume(mission.mission_id)
  expect(result.status).toBe('completed')
  expect(server.paid).toBe(paid + 1)
  expect(result.tokens_used).toBe(server.paid * 15)
})

test('plays a mission from a cassette with the network blocked, to the byte', async () => {
  const file = join(folder, 'mission.json')
  const server = await fakeServer(playRoles)
  const mission = envelope()
  const artifactsOf = async (mode: 'record' | 'replay') => {
    let id = 0
    const generateId = () => `00000000-0000-4000-8000-${String(++id).padStart(12, '0')}`
    const sources = { clock: () => Date.parse('2026-05-01T12:00:00Z'), generateId }
    const app = await missionApp({ default: modelOn(server), cassette: { file, mode } }, 'memory:', sources)
    const { artifacts, status } = await app.colony.run(mission)
    await app.close()
    expect(status).toBe('completed')
    return JSON.stringify(artifacts)
  }
  const recorded = await artifactsOf('record')
  const asked = server.requests.length
  await server.close()
  expect(await artifactsOf('replay')).toBe(recorded)
  expect(server.requests).toHaveLength(asked)
  expect(JSON.parse(await readFile(file, 'utf8')).entries).toHaveLength(asked)
})
