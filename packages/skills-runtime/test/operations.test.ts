import { type Operation, operationsOf, type Progress, runExample, runOperation } from '@minions/core/operations'
import { createMinions } from '@minions/host'
import { expect, test } from 'vitest'
import { defineSkill, type SkillsOptions, skills } from '../src/index.js'
import { list as listMessages } from '../src/operations/messages.js'

const start = (options?: SkillsOptions) => createMinions({ storage: 'memory:', plugins: [skills(options)] })

const own: Operation[] = skills().contributes.flatMap(([, values]) => values as readonly Operation[])

test.each(own.flatMap((operation) => (operation.examples ?? []).map((example) => ({ operation, example }))))(
  'the example "$example.title" of $operation.name runs',
  async ({ operation, example }) => {
    const app = await start()
    await runExample(app, operation, example)
    await app.close()
  },
)

const walk = defineSkill({
  name: 'walk',
  version: '1.0.0',
  parameters_schema: { type: 'object', properties: { steps: { type: 'integer' } }, required: ['steps'] },
  async execute({ steps }: { steps: number }, context) {
    for (let step = 1; step <= steps; step++) {
      context.signal.throwIfAborted()
      context.progress(step / steps, `step ${step}`)
      await context.checkpoint({ step })
    }
    context.log.info('walked')
    return { steps }
  },
})

/** An app with a skill that walks until it is told to stop. */
async function startWalking(options?: SkillsOptions) {
  const app = await start(options)
  app.skills.registry.registerSkill(walk)
  return app
}

test('a run reports its progress, says who began it, and answers with the result', async () => {
  const app = await startWalking()
  const seen: Progress[] = []
  const call = { by: 'ada', onProgress: (progress: Progress) => void seen.push(progress) }
  const output = await runOperation(app, 'skills.run', { skill: 'walk', params: { steps: 2 }, name: 'scout' }, call)
  const [agent] = await app.skills.list()
  expect(output).toEqual({ agent_id: agent?.agent_id, result: { steps: 2 } })
  expect(agent).toMatchObject({ name: 'scout', metadata: { by: 'ada' }, state: 'completed' })
  expect(seen).toEqual([
    { done: 0.5, message: 'step 1' },
    { done: 1, message: 'step 2' },
    { done: 1, message: 'walk: success' },
  ])
  expect(await runOperation(app, 'agents.get', { agent: 'scout' })).toEqual({
    ...agent,
    executions: await app.skills.executions(),
  })
  await app.close()
})

test('a chain runs what a skill depends on, with parameters by name', async () => {
  const app = await startWalking()
  app.skills.registry.registerSkill(
    defineSkill({
      name: 'report',
      version: '1.0.0',
      parameters_schema: { type: 'object' },
      dependencies: ['walk'],
      execute: () => ({ told: true }),
    }),
  )
  const input = { skill: 'report', chain: true, params: { walk: { steps: 1 } } }
  expect(await runOperation(app, 'skills.run', input)).toMatchObject({
    result: { walk: { steps: 1 }, report: { told: true } },
  })
  expect(await runOperation(app, 'skills.deps', { skill: 'report' })).toEqual(['walk', 'report'])
  await app.close()
})

test('a call that is cancelled cancels its subagent', async () => {
  const app = await startWalking()
  const controller = new AbortController()
  app.skills.events.on('execution.checkpoint', () => controller.abort())
  const input = { skill: 'walk', params: { steps: 1e9 } }
  const running = runOperation(app, 'skills.run', input, { signal: controller.signal })
  await expect(running).rejects.toMatchObject({ code: 'CANCELLED' })
  expect(await app.skills.list()).toMatchObject([{ state: 'failed', error: 'cancelled' }])
  await app.close()
})

test('a skill that cannot begin leaves no idle subagent behind', async () => {
  const app = await start()
  const record = { name: 'navigate', version: '1.0.0', parameters_schema: { type: 'object' } }
  await runOperation(app, 'skills.register', { skills: [record] })
  for (const [input, code] of [
    [{ skill: 'navigate' }, 'SKILL_NOT_BOUND'],
    [{ skill: 'unknown' }, 'NOT_FOUND'],
  ] as const) {
    await expect(runOperation(app, 'skills.run', input)).rejects.toMatchObject({ code })
  }
  expect(await runOperation(app, 'agents.list', { state: ['idle'] })).toEqual([])
  await app.close()
})

test('skills that are written as data bring no code, and are registered all or none', async () => {
  const app = await start()
  const record = { name: 'navigate', version: '1.0.0', parameters_schema: { type: 'object' } }
  for (const [more, code] of [
    [{ module: 'data:text/javascript,' }, 'VALIDATION_FAILED'],
    [{ name: 'x' }, 'VALIDATION_FAILED'],
    [{ name: 'lost', dependencies: ['none'] }, 'REFERENCE_VIOLATION'],
    [{ name: 'lost', steps: [{ skill: 'none' }] }, 'REFERENCE_VIOLATION'],
  ] as const) {
    const input = { skills: [record, { ...record, ...more }] }
    await expect(runOperation(app, 'skills.register', input)).rejects.toMatchObject({ code })
  }
  expect(await runOperation(app, 'skills.list', {})).toEqual([])
  const refused = runOperation(app, 'skills.register', { skills: [record] }, { access: 'write' })
  await expect(refused).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await app.close()
})

test('a running subagent pauses and continues to its end', async () => {
  const app = await startWalking()
  const { agent_id } = await app.skills.spawn({ name: 'scout' })
  const paused = new Promise<void>((resolve) =>
    app.skills.events.on('agent.transition', ({ to }) => void (to === 'paused' && resolve())),
  )
  const begun = new Promise<void>((resolve) => app.skills.events.on('execution.started', () => resolve()))
  const running = app.skills.run(agent_id, walk, { steps: 50 })
  await begun
  expect(await runOperation(app, 'agents.pause', { agent: 'scout' })).toMatchObject({ agent_id, state: 'running' })
  await paused
  expect(await runOperation(app, 'agents.resume', { agent: 'scout' })).toMatchObject({ agent_id, state: 'completed' })
  expect(await running).toEqual({ steps: 50 })
  await app.close()
})

test('a call that is cancelled while it waits for a subagent leaves that running', async () => {
  const app = await startWalking()
  const { agent_id } = await app.skills.spawn()
  const controller = new AbortController()
  app.skills.events.on('agent.transition', ({ to }) => {
    if (to === 'running') void app.skills.pause(agent_id)
    else if (to === 'paused' && !controller.signal.aborted) paused()
  })
  let paused = () => {}
  const isPaused = new Promise<void>((resolve) => {
    paused = resolve
  })
  const cancelled = expect(app.skills.run(agent_id, walk, { steps: 5 })).rejects.toMatchObject({ code: 'CANCELLED' })
  await isPaused
  // It is paused again at once, so that the wait does not end by itself.
  const isPausedAgain = new Promise<void>((resolve) => {
    paused = resolve
  })
  const resumed = runOperation(app, 'agents.resume', { agent: agent_id }, { signal: controller.signal })
  await isPausedAgain
  controller.abort()
  await expect(resumed).rejects.toMatchObject({ code: 'CANCELLED' })
  expect(await app.skills.get(agent_id)).toMatchObject({ state: 'paused' })
  await runOperation(app, 'agents.cancel', { agent: agent_id })
  await cancelled
  await app.close()
})

test('a name refers to a subagent as long as one has it', async () => {
  const app = await start()
  const { agent_id } = await app.skills.spawn({ name: 'scout' })
  expect(await runOperation(app, 'agents.get', { agent: 'scout' })).toMatchObject({ agent_id })
  await app.skills.spawn({ name: 'scout' })
  await expect(runOperation(app, 'agents.get', { agent: 'scout' })).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await runOperation(app, 'agents.get', { agent: agent_id })).toMatchObject({ agent_id })
  await expect(runOperation(app, 'agents.get', { agent: 'nobody' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  for (const input of [{}, { agent: '' }, { agnet: 'scout' }, { agent: 5 }]) {
    await expect(runOperation(app, 'agents.get', input)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  }
  await app.close()
})

test('stored messages come in pages, and those without a taker are dead letters', async () => {
  const app = await start({ messages: { persistence: true } })
  const { agent_id } = await app.skills.spawn({ name: 'scout' })
  const sent: unknown[] = []
  for (const area of ['kitchen', 'hall', 'garden']) {
    sent.push(await runOperation(app, 'messages.send', { to: 'scout', payload: { area } }))
  }
  const unheard = await runOperation(app, 'messages.send', { topic: 'done', from: 'scout', payload: {}, ttl: 5 })
  expect(unheard).toMatchObject({ topic: 'done', sender_id: agent_id, recipient_id: null, ttl: 5, priority: 5 })
  const first = await runOperation(app, listMessages, { to: 'scout', limit: 2 })
  expect(first.items).toHaveLength(2)
  const second = await runOperation(app, listMessages, { to: 'scout', limit: 2, cursor: String(first.nextCursor) })
  expect([...first.items, ...second.items]).toEqual(expect.arrayContaining(sent))
  expect(second.items).toHaveLength(1)
  expect(second.nextCursor).toBeUndefined()
  const all = await runOperation(app, listMessages, { to: 'scout' })
  const newest = await runOperation(app, listMessages, { to: 'scout', newestFirst: true })
  expect(newest.items).toEqual(all.items.toReversed())
  expect(await runOperation(app, 'messages.list', { from: 'scout' })).toEqual({ items: [unheard] })
  expect(await runOperation(app, 'messages.deadLetters', {})).toMatchObject([
    { message: unheard, reason: 'NO_SUBSCRIBER', target: 'done' },
  ])
  await app.close()
})

test('a message needs one address', async () => {
  const app = await start()
  await app.skills.spawn({ name: 'scout' })
  for (const address of [{}, { to: 'scout', topic: 'done' }, { topic: '' }, { topic: 'done', type: 'response' }]) {
    const sending = runOperation(app, 'messages.send', { payload: {}, ...address })
    await expect(sending).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  }
  await app.close()
})

test('executions are listed by what they ran and how they ended', async () => {
  const app = await startWalking()
  await runOperation(app, 'skills.run', { skill: 'walk', params: { steps: 1 }, name: 'scout' })
  const all = await app.skills.executions()
  for (const filter of [{}, { agent: 'scout' }, { skill: 'walk', version: '1.0.0' }, { status: ['success'] }]) {
    expect(await runOperation(app, 'executions.list', filter)).toEqual(all)
  }
  expect(await runOperation(app, 'executions.list', { status: ['failed'] })).toEqual([])
  const [before, after] = ['2000-01-01', '2999-01-01T00:00:00Z']
  for (const [name, listed] of [
    ['executions.list', all],
    ['agents.list', await app.skills.list()],
  ] as const) {
    expect(await runOperation(app, name, { startedAfter: before, startedBefore: after })).toEqual(listed)
    expect(await runOperation(app, name, { startedAfter: after })).toEqual([])
    expect(await runOperation(app, name, { startedBefore: before })).toEqual([])
    const refused = runOperation(app, name, { startedAfter: 'yesterday' })
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  }
  expect(operationsOf(app).get('executions.get')?.plugin).toBe('@minions/skills-runtime')
  await app.close()
})

test('an execution is got with its progress, and with the log where that is asked for', async () => {
  const app = await startWalking()
  await runOperation(app, 'skills.run', { skill: 'walk', params: { steps: 1 } })
  const [execution] = await app.skills.executions()
  const id = String(execution?.execution_id)
  const { progress, lines, dropped } = await app.skills.executionLog(id)
  expect(progress).toMatchObject({ fraction: 1, note: 'step 1' })
  expect(lines).toMatchObject([{ level: 'info', message: 'walked' }])
  expect(await runOperation(app, 'executions.get', { execution: id })).toEqual({ ...execution, progress })
  const log = { lines, dropped }
  expect(await runOperation(app, 'executions.get', { execution: id, logs: true })).toEqual({
    ...execution,
    progress,
    log,
  })
  expect(await runOperation(app, 'executions.get', { execution: id, logs: true, level: 'error' })).toMatchObject({
    log: { lines: [], dropped: 0 },
  })
  await app.close()
})
