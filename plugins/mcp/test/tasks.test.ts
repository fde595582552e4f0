import { approvals } from '@minions/approvals'
import { exampleMission } from '@minions/colony'
import { runOperation } from '@minions/core/operations'
import { createHandler } from '@minions/server'
import { fromJsonSchema } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connect, type OpenApp, openApp } from './support/open-app.ts'
import { TaskClient } from './support/task-client.ts'

const { envelope } = exampleMission
const { tenant_id: tenant, mission_id: mission } = envelope

let app: OpenApp

beforeEach(async () => {
  app = await openApp()
})

afterEach(() => app.close())

interface Who {
  readonly owner?: string
  readonly tenant?: string
  readonly access?: string
}

/** A client that takes tasks. */
async function taskClient({ owner = 'ada', access = 'write', tenant: of }: Who = {}): Promise<TaskClient> {
  const scopes = ['write', 'approve'] as const
  const { key } = await app.server.keys.create({ owner, scopes: [...scopes], ...(of !== undefined && { tenant: of }) })
  return new TaskClient(createHandler(app), `http://localhost/mcp?access=${access}`, key)
}

const approver = { access: 'write,approve' }

async function startMission(client: TaskClient): Promise<string> {
  const { taskId } = await client.call('missions_run', { envelope })
  return taskId
}

async function proposalStatuses(): Promise<string[]> {
  const page = await runOperation(app, 'proposals.list', { mission }, { tenant })
  return (page as unknown as { items: { status: string }[] }).items.map(({ status }) => status)
}

describe('a mission', () => {
  it('is a task for a client that takes tasks, with the result of the tool at its end', async () => {
    const client = await taskClient()
    const taskId = await startMission(client)
    expect(taskId).toMatch(/^mission~/)
    const task = await client.settled(taskId)
    expect(task).toMatchObject({
      status: 'completed',
      ttlMs: null,
      result: { structuredContent: { status: 'completed' } },
    })
    const plain = (await runOperation(app, 'missions.get', { mission }, { tenant })) as { artifacts: unknown[] }
    expect(plain.artifacts.length).toBeGreaterThan(5)
  })

  it('can be cancelled, again and again', async () => {
    const client = await taskClient()
    const taskId = await startMission(client)
    await client.cancel(taskId)
    const { status } = await client.settled(taskId)
    expect(['cancelled', 'completed']).toContain(status)
    await expect(client.cancel(taskId)).resolves.toBeDefined()
  })

  it('waits for a person who may approve; of two answers one wins', async () => {
    const ada = await taskClient({ ...approver, owner: 'ada' })
    const bob = await taskClient({ ...approver, owner: 'bob' })
    const taskId = await startMission(ada)
    const asked = await ada.settled(taskId)
    expect(asked).toMatchObject({ status: 'input_required' })
    const questions = Object.keys(asked.inputRequests ?? {})
    const theirs = Object.keys((await bob.get(taskId)).inputRequests ?? {})
    expect(asked.inputRequests?.[questions[0] ?? '']).toMatchObject({ method: 'elicitation/create' })
    expect(questions.length).toBe(2)
    const wins: string[] = []
    for (const [index, question] of questions.entries()) {
      const answers = await Promise.allSettled([
        ada.update(taskId, { [question]: { action: 'accept', content: { decision: 'approve', reason: 'Good.' } } }),
        bob.update(taskId, { [theirs[index] ?? '']: { action: 'accept', content: { decision: 'reject' } } }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const lost = answers.find((answer) => answer.status === 'rejected')
      expect(lost?.reason).toMatchObject({ code: -32602, data: { code: 'CONFLICT' } })
      wins.push(answers[0]?.status === 'fulfilled' ? 'approved' : 'rejected')
      const { status, inputRequests = {} } = await ada.get(taskId)
      expect(Object.keys(inputRequests)).toEqual(questions.slice(index + 1))
      expect(status).toBe(index === 0 ? 'input_required' : 'completed')
    }
    expect((await proposalStatuses()).sort()).toEqual(wins.sort())
  })

  it('that waits for an approval while it runs asks a person for it, and goes on', async () => {
    await app.close()
    app = await openApp({}, [approvals({ rules: exampleMission.rules })])
    const reader = await taskClient({ owner: 'eve' })
    const ada = await taskClient({ ...approver, owner: 'ada' })
    const taskId = await startMission(ada)
    const asked = await ada.until(taskId, ({ status }) => status === 'input_required')
    const [name = ''] = Object.keys(asked.inputRequests ?? {})
    expect(asked.inputRequests?.[name]).toMatchObject({
      params: {
        message: expect.stringMatching(/oracle_operator asks for the tool "external_search": A search outside/),
      },
    })
    expect(await reader.get(taskId)).toMatchObject({ status: 'working' })
    const yes = { action: 'accept', content: { decision: 'approve', reason: 'Good.' } }
    await ada.update(taskId, { [name]: yes })
    const over = await ada.until(taskId, ({ statusMessage }) => statusMessage === '9 of 9 tasks are done.')
    expect(Object.keys(over.inputRequests ?? {})).toHaveLength(2)
    const page = await runOperation(app, 'approvals.list', {}, { tenant })
    expect(page).toMatchObject({ items: [{ status: 'used', decided_by: 'ada', reason: 'Good.' }] })
    await expect(ada.update(taskId, { [name]: yes })).rejects.toMatchObject({ data: { code: 'CONFLICT' } })
  })

  it('takes no answer under a name that was forged, was given to another, or is for another task', async () => {
    const ada = await taskClient({ ...approver, owner: 'ada' })
    const bob = await taskClient({ ...approver, owner: 'bob' })
    const taskId = await startMission(ada)
    const [name = ''] = Object.keys((await ada.settled(taskId)).inputRequests ?? {})
    const yes = { action: 'accept', content: { decision: 'approve' } }
    const [body = '', tag = ''] = name.split('.')
    const forged = [
      `${body}.${tag.slice(0, -2)}AA`,
      `${Buffer.from('wb_other').toString('base64url')}.${tag}`,
      'x',
      `${name}.x`,
    ]
    for (const each of forged) await ada.update(taskId, { [each]: yes })
    await bob.update(taskId, { [name]: yes })
    expect(await proposalStatuses()).toEqual(['open', 'open'])
    await expect(
      ada.update(taskId, { [name]: { action: 'accept', content: { decision: 'maybe' } } }),
    ).rejects.toMatchObject({ code: -32602 })
    expect(await ada.get(taskId)).toMatchObject({ status: 'input_required' })
  })

  it('asks in rounds where a client takes no tasks', async () => {
    const client = await connect(app, { query: 'access=write,approve', capabilities: { elicitation: { form: {} } } })
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { decision: 'approve' } }))
    const result = await client.callTool({ name: 'missions_run', arguments: { envelope } })
    expect(result.structuredContent).toMatchObject({ status: 'completed' })
    expect(await proposalStatuses()).toEqual(['approved', 'approved'])
    await client.close()
  })
})

describe('tasks', () => {
  it('are refused to clients that do not take them', async () => {
    const client = await connect(app, { query: 'access=write' })
    const Anything = fromJsonSchema<object>({ type: 'object' })
    const asking = client.request({ method: 'tasks/get', params: { taskId: 'mission~x' } }, Anything)
    await expect(asking).rejects.toMatchObject({ code: -32021 })
    const result = await client.callTool({ name: 'missions_run', arguments: { envelope } })
    expect(result.structuredContent).toMatchObject({ status: 'completed' })
  })

  it('that do not exist, or not for the caller, are unknown', async () => {
    const client = await taskClient()
    const taskId = await startMission(client)
    for (const id of ['nothing', 'mission~', 'mission~bm9uc2Vuc2U', 'run~eA', '']) {
      await expect(client.get(id)).rejects.toMatchObject({ code: -32602 })
      await expect(client.cancel(id)).rejects.toMatchObject({ code: -32602 })
    }
    const stranger = await taskClient({ owner: 'eve', tenant: 'other' })
    await expect(stranger.get(taskId)).rejects.toMatchObject({ code: -32602 })
    await expect(stranger.cancel(taskId)).rejects.toMatchObject({ code: -32602 })
  })
})
