import { memoryStorage } from '@minions/core/memory'
import { runOperation } from '@minions/core/operations'
import { definePlugin, pluginRef } from '@minions/core/plugin'
import { createMinions } from '@minions/host'
import { describe, expect, it } from 'vitest'
import { labelGuards, prompts, promptsRef } from '../src/index.js'
import { backends, openStore } from './stores.js'

describe.each(backends)('labels on %s', (_, create) => {
  async function withVersions() {
    const store = await openStore(create())
    const prompt = await store.prompts.create({ title: 'P', name: 'p', content: 'zero {{name}}' })
    const v1 = await store.prompts.addVersion('p', { content: 'one {{name}}' })
    const v2 = await store.prompts.addVersion('p', { content: 'two {{name}}' })
    return { ...store, prompt, v1, v2 }
  }

  it('stand for the version they were last moved to', async () => {
    const { client, prompts, prompt, v1, v2 } = await withVersions()
    const first = await prompts.labels.set('p', 'staging', 1, { by: 'ada', reason: 'try it' })
    expect(first).toMatchObject({
      promptId: prompt.id,
      label: 'staging',
      move: 1,
      targets: [{ versionId: v1.id, weight: 100 }],
      by: 'ada',
      reason: 'try it',
    })
    expect(await prompts.render('p', { name: 'Ada' }, { label: 'staging' })).toBe('one Ada')
    expect(await prompts.render('p', { name: 'Ada' })).toBe('zero Ada')
    expect(await prompts.labels.resolve('p', 'staging')).toEqual(v1)
    await prompts.labels.set('p', 'staging')
    expect(await prompts.labels.resolve(prompt.id, 'staging')).toEqual(v2)
    expect(await prompts.labels.resolve(v1.id, 'latest')).toEqual(v2)
    expect(await prompts.labels.resolve('p', 'production')).toEqual(prompt)
    expect(
      (await prompts.labels.history('p', 'staging')).map(({ move, targets }) => [move, targets[0]?.versionId]),
    ).toEqual([
      [1, v1.id],
      [2, v2.id],
    ])
    // Moving it to where it is changes nothing.
    expect((await prompts.labels.set('p', 'staging', v2.id)).move).toBe(2)
    expect(await prompts.labels.remove('p', 'staging', { by: 'bo' })).toMatchObject({ move: 3, targets: [], by: 'bo' })
    await expect(prompts.render('p', {}, { label: 'staging' })).rejects.toMatchObject({ code: 'LABEL_UNKNOWN' })
    expect((await prompts.labels.list('p')).map(({ label }) => label)).toEqual(['production'])
    expect(await prompts.labels.history('p')).toHaveLength(3)
    expect((await prompts.labels.set('p', 'staging', 0)).move).toBe(4)
    expect(await prompts.render('p', { name: 'Ada' }, { label: 'staging' })).toBe('zero Ada')
    await client.close()
  })

  it('publish with production, and publishing moves it', async () => {
    const { client, prompts, prompt, v1, v2 } = await withVersions()
    expect(await prompts.labels.get('p', 'production')).toMatchObject({ move: 0, targets: [{ versionId: prompt.id }] })
    await prompts.labels.set('p', 'production', 1, { by: 'ada' })
    expect(await prompts.render('p', { name: 'Ada' })).toBe('one Ada')
    expect(await prompts.published('p')).toEqual(v1)
    await prompts.publish('p', { by: 'bo', reason: 'better' })
    expect(await prompts.labels.get('p', 'production')).toMatchObject({
      targets: [{ versionId: v2.id }],
      by: 'bo',
      reason: 'better',
    })
    await prompts.rollback('p')
    expect(await prompts.labels.resolve('p', 'production')).toEqual(v1)
    const targets = (await prompts.labels.history('p', 'production')).map((move) => move.targets[0]?.versionId)
    expect(targets).toEqual([prompt.id, v1.id, v2.id, v1.id])
    await prompts.labels.set('p', 'production', 0)
    expect(await prompts.render('p', { name: 'Ada' })).toBe('zero Ada')
    await expect(prompts.labels.remove('p', 'production')).rejects.toMatchObject({ code: 'LABEL_INVALID' })
    await client.close()
  })

  it('are moved only from where the caller saw them', async () => {
    const { client, prompts, v1, v2 } = await withVersions()
    await prompts.labels.set('p', 'staging', 1, { ifMove: 0, by: 'ada' })
    const late = prompts.labels.set('p', 'staging', 2, { ifMove: 0 })
    await expect(late).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { move: 1, targets: [{ versionId: v1.id }], by: 'ada' },
    })
    const { move } = await prompts.labels.set('p', 'staging', 2, { ifMove: 1 })
    // There and back is not the same as never moved.
    await prompts.labels.set('p', 'staging', 1)
    await prompts.labels.set('p', 'staging', 2)
    await expect(prompts.labels.set('p', 'staging', 1, { ifMove: move })).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(prompts.publish('p', v2.id, { ifMove: 3 })).rejects.toMatchObject({ code: 'CONFLICT' })
    await prompts.publish('p', v2.id, { ifMove: 0 })
    const winners = await Promise.allSettled(
      [1, 2, 1, 2].map((version) => prompts.labels.set('p', 'canary', version, { ifMove: 0 })),
    )
    expect(winners.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await prompts.labels.history('p', 'canary')).toHaveLength(1)
    await client.close()
  })

  it('say what is wrong with them', async () => {
    const { client, prompts, prompt, v1 } = await withVersions()
    for (const label of ['', 'Staging', 'a b', '-a', 'latest', 'x'.repeat(51)]) {
      await expect(prompts.labels.set('p', label, 1)).rejects.toMatchObject({ code: 'LABEL_INVALID' })
    }
    await prompts.labels.set('p', 'staging', 1)
    await expect(prompts.render('p', {}, { label: 'stagin' })).rejects.toMatchObject({
      code: 'LABEL_UNKNOWN',
      message: expect.stringContaining('did you mean "staging"?'),
    })
    await expect(prompts.labels.resolve('p', 'Other Words')).rejects.toMatchObject({
      code: 'LABEL_UNKNOWN',
      details: { labels: ['production', 'latest', 'staging'] },
    })
    await expect(prompts.labels.set('p', 'staging', 9)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(prompts.render({ prompt: 'p', version: 1 }, {}, { label: 'staging' })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    })
    const other = await prompts.create({ title: 'Q', content: 'q' })
    const foreign = await prompts.addVersion(other.id, { content: 'q1' })
    await expect(prompts.labels.set('p', 'staging', foreign.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await client.softDelete(v1.id)
    await expect(prompts.labels.resolve('p', 'staging')).rejects.toMatchObject({ code: 'DELETED' })
    await client.hardDelete(v1.id)
    await expect(prompts.labels.resolve('p', 'staging')).rejects.toMatchObject({ code: 'LABEL_UNKNOWN' })
    expect(await prompts.labels.list('p')).toMatchObject([{ label: 'production', targets: [{ versionId: prompt.id }] }])
    await client.close()
  })

  it('take a person other than the author when they are protected', async () => {
    const store = await openStore(create())
    const { client, prompts } = store
    await prompts.create({ title: 'P', name: 'p', content: 'zero' }, { by: 'ada' })
    const v1 = await prompts.addVersion('p', { content: 'one' }, { by: 'ada' })
    await prompts.labels.protect('production', { by: 'root' })
    expect(await prompts.labels.protected()).toMatchObject([{ label: 'production', by: 'root' }])
    for (const by of ['ada', 'Ada', undefined, '']) {
      const attempts = [
        () => prompts.labels.set('p', 'production', 1, { by }),
        () => prompts.publish('p', { by }),
        () =>
          prompts.labels.split(
            'p',
            'production',
            [
              { version: 0, weight: 50 },
              { version: 1, weight: 50 },
            ],
            { by },
          ),
      ]
      for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'LABEL_PROTECTED' })
    }
    expect(await prompts.render('p')).toBe('zero')
    await prompts.labels.set('p', 'staging', 1, { by: 'ada' })
    await prompts.publish('p', { by: 'bo' })
    const v2 = await prompts.addVersion('p', { content: 'two' }, { by: 'bo' })
    await expect(prompts.publish(v2.id, { by: 'bo' })).rejects.toMatchObject({ code: 'LABEL_PROTECTED' })
    await prompts.publish(v2.id, { by: 'ada' })
    // Back to what was approved before; in an emergency nobody is asked to find a second person.
    await prompts.rollback('p', { by: 'ada' })
    expect(await prompts.published('p')).toEqual(v1)
    await expect(prompts.rollback('p')).rejects.toMatchObject({ code: 'LABEL_PROTECTED' })
    const anonymous = await prompts.addVersion('p', { content: 'three' })
    await expect(prompts.publish(anonymous.id, { by: 'cy' })).rejects.toMatchObject({ code: 'LABEL_PROTECTED' })
    expect(await prompts.labels.unprotect('production')).toBe(true)
    expect(await prompts.labels.unprotect('production')).toBe(false)
    await prompts.publish(anonymous.id)
    await client.close()
  })

  it('are part of transactions', async () => {
    const { client, prompts } = await withVersions()
    const app = client as Awaited<ReturnType<typeof withPrompts>>
    const failing = app.transaction(async (tx) => {
      await tx.prompts.labels.set('p', 'staging', 1)
      expect(await tx.prompts.render('p', { name: 'Ada' }, { label: 'staging' })).toBe('one Ada')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await expect(prompts.labels.resolve('p', 'staging')).rejects.toMatchObject({ code: 'LABEL_UNKNOWN' })
    await app.transaction((tx) => tx.prompts.labels.set('p', 'staging', 2))
    expect(await prompts.render('p', { name: 'Ada' }, { label: 'staging' })).toBe('two Ada')
    await client.close()
  })
})

const withPrompts = () => createMinions({ storage: memoryStorage(), plugins: [prompts()] })

describe('operations on labels', () => {
  it('need approval for what is protected, and for traffic', async () => {
    const app = await withPrompts()
    await app.prompts.create({ title: 'P', name: 'p', content: 'zero' }, { by: 'ada' })
    await app.prompts.addVersion('p', { content: 'one' }, { by: 'ada' })
    const input = { prompt: 'p', label: 'production', version: 1 }
    await runOperation(app, 'prompts.protectLabel', { label: 'production' }, { access: 'admin', by: 'root' })
    const writer = { access: 'write', by: 'bo' } as const
    const approver = { access: 'approve', by: 'bo' } as const
    await expect(runOperation(app, 'prompts.setLabel', input, writer)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    for (const name of ['prompts.promote', 'prompts.publish']) {
      await expect(runOperation(app, name, input, writer)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    }
    await expect(runOperation(app, 'prompts.promote', input, { ...approver, by: 'ada' })).rejects.toMatchObject({
      code: 'LABEL_PROTECTED',
    })
    expect(await runOperation(app, 'prompts.promote', input, approver)).toMatchObject({
      targets: [{ version: 1, weight: 100 }],
      by: 'bo',
    })
    await runOperation(app, 'prompts.setLabel', { ...input, label: 'staging', version: 0 }, writer)
    expect(
      await runOperation(app, 'prompts.render', { prompt: 'p', label: 'staging' }, { access: 'read' }),
    ).toMatchObject({
      text: 'zero',
    })
    await app.close()
  })
})

it('a plugin can have a say before labels are moved', async () => {
  const asked: unknown[] = []
  const approvals = definePlugin({
    ref: pluginRef<object>()('approvals', 'approvals'),
    version: '1.0.0',
    deps: { prompts: promptsRef },
    contributes: [
      [
        labelGuards,
        [
          {
            name: 'approvals',
            async check(change, tx) {
              asked.push({ ...change, title: (await tx.get(change.promptId))?.title })
              if (change.label === 'production' && change.reason !== 'ticket 7') throw new Error('no ticket')
            },
          },
        ],
      ],
    ],
    setup: () => ({}),
  })
  const app = await createMinions({ storage: memoryStorage(), plugins: [prompts(), approvals] })
  const { id } = await app.prompts.create({ title: 'P', name: 'p', content: 'zero' })
  const v1 = await app.prompts.addVersion('p', { content: 'one' })
  await expect(app.prompts.publish('p')).rejects.toThrow('no ticket')
  await expect(app.transaction((tx) => tx.prompts.publish('p'))).rejects.toThrow('no ticket')
  expect(await app.prompts.render('p')).toBe('zero')
  await app.prompts.publish('p', { by: 'ada', reason: 'ticket 7' })
  expect(asked.at(-1)).toEqual({
    promptId: id,
    label: 'production',
    before: undefined,
    targets: [{ versionId: v1.id, weight: 100 }],
    by: 'ada',
    reason: 'ticket 7',
    title: 'P',
  })
  await app.close()
})
