import { approvals, type PolicyRule } from '@minions/approvals'
import { createMinions } from '@minions/host'
import { describe, expect, test } from 'vitest'
import { prompts } from '../src/index.js'

async function open(rules: readonly PolicyRule[] = []) {
  const app = await createMinions({ storage: 'memory:', plugins: [approvals({ rules }), prompts()] })
  const { id } = await app.prompts.create({ title: 'Greeting', content: 'Hello {{name}}!' }, { by: 'eve' })
  const version = await app.prompts.addVersion(id, { content: 'Good day, {{name}}.' }, { by: 'eve' })
  return { app, id, version }
}

const requiredBy = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  )
  expect(error).toMatchObject({ code: 'APPROVAL_REQUIRED', details: { approval: expect.stringMatching(/^apr_/) } })
  return String(error.details.approval)
}

describe('a label', () => {
  test('that is protected from the author of a version is moved by the author once somebody else approved that', async () => {
    const { app, id, version } = await open()
    await app.prompts.labels.protect('production')
    const move = () => app.prompts.labels.set(id, 'production', version.id, { by: 'eve' })
    const approval = await requiredBy(move())
    expect(await app.approvals.get(approval)).toMatchObject({
      asked_by: 'eve',
      call: { kind: 'label', name: 'production', arguments: { promptId: id, targets: [{ versionId: version.id }] } },
    })
    expect(await requiredBy(move())).toBe(approval)
    await expect(app.approvals.approve(approval, { by: 'eve' })).rejects.toMatchObject({ code: 'SELF_APPROVAL' })
    await app.approvals.approve(approval, { by: 'ada' })
    expect(await move()).toMatchObject({ targets: [{ versionId: version.id }] })
    expect(await app.approvals.get(approval)).toMatchObject({ status: 'used' })
    expect(await app.prompts.published(id)).toMatchObject({ fields: { content: 'Good day, {{name}}.' } })
    await app.close()
  })

  test('is moved to what was approved, and to nothing else', async () => {
    const { app, id, version } = await open()
    await app.prompts.labels.protect('staging')
    const approval = await requiredBy(app.prompts.labels.set(id, 'staging', version.id, { by: 'eve' }))
    await app.approvals.approve(approval, { by: 'ada' })
    const other = await app.prompts.addVersion(id, { content: 'Hi.' }, { by: 'eve' })
    expect(await requiredBy(app.prompts.labels.set(id, 'staging', other.id, { by: 'eve' }))).not.toBe(approval)
    expect(await app.prompts.labels.get(id, 'staging')).toBeUndefined()
    await app.close()
  })

  test.each(['production', 'staging'])('%s goes where the approver changed the move to', async (label) => {
    const { app, id, version } = await open()
    const other = await app.prompts.addVersion(id, { content: 'Hi.' }, { by: 'eve' })
    await app.prompts.labels.protect(label)
    const move = () => app.prompts.labels.set(id, label, other.id, { by: 'eve' })
    const approval = await requiredBy(move())
    const targets = [{ versionId: version.id, weight: 100 }]
    await app.approvals.edit(approval, { by: 'ada', arguments: { promptId: id, targets } })
    expect(await move()).toMatchObject({ targets })
    expect(await app.prompts.labels.get(id, label)).toMatchObject({ targets })
    expect(await app.approvals.get(approval)).toMatchObject({ status: 'used' })
    if (label === 'production') {
      expect(await app.prompts.published(id)).toMatchObject({ fields: { content: 'Good day, {{name}}.' } })
    }
    await app.close()
  })

  test('shares its traffic as the approver changed that', async () => {
    const { app, id, version } = await open([{ name: 'ask', action: 'ask', kind: 'label' }])
    const split = (weights: readonly [number, number]) =>
      weights.map((weight, index) => ({ versionId: index === 0 ? id : version.id, weight }))
    const shares = split([50, 50]).map(({ versionId, weight }) => ({ version: versionId, weight }))
    const move = () => app.prompts.labels.split(id, 'staging', shares, { by: 'eve' })
    const approval = await requiredBy(move())
    await app.approvals.edit(approval, { by: 'ada', arguments: { promptId: id, targets: split([90, 10]) } })
    expect(await move()).toMatchObject({ targets: split([90, 10]) })
    await app.close()
  })

  test('stays where it is if the approver changed the move into none that can be made', async () => {
    const { app, id, version } = await open()
    await app.prompts.labels.protect('staging')
    const { id: otherPrompt } = await app.prompts.create({ title: 'Other', content: 'Other' }, { by: 'ada' })
    const move = (versionId: string) => app.prompts.labels.set(id, 'staging', versionId, { by: 'eve' })
    const target = { versionId: version.id, weight: 100 }
    const changes = [
      { promptId: otherPrompt, targets: [target] },
      { promptId: id, targets: [{ versionId: otherPrompt, weight: 100 }] },
      { promptId: id, targets: [{ ...target, weight: 50 }] },
      { promptId: id, targets: [] },
      { promptId: id, targets: 'all' },
      { promptId: id, targets: [target], label: 'production' },
    ]
    for (const [index, changed] of changes.entries()) {
      const { id: asked } = await app.prompts.addVersion(id, { content: `${index}` }, { by: 'eve' })
      const approval = await requiredBy(move(asked))
      await app.approvals.edit(approval, { by: 'ada', arguments: changed })
      await expect(move(asked)).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: { approval } })
      expect(await app.prompts.labels.get(id, 'staging')).toBeUndefined()
    }
    await app.close()
  })

  test('is asked for, allowed or denied by the policy', async () => {
    const { app, id, version } = await open([
      { name: 'frozen', action: 'deny', kind: 'label', call: 'frozen' },
      { name: 'ask', action: 'ask', kind: 'label', call: 'production' },
    ])
    const { labels } = app.prompts
    expect(await labels.set(id, 'staging', version.id, { by: 'eve' })).toMatchObject({ label: 'staging' })
    await expect(labels.set(id, 'frozen', version.id, { by: 'eve' })).rejects.toMatchObject({ code: 'POLICY_DENIED' })
    const approval = await requiredBy(app.prompts.publish(id, version.id, { by: 'bob' }))
    await app.approvals.approve(approval, { by: 'ada' })
    await app.prompts.publish(id, version.id, { by: 'bob' })
    expect(await app.approvals.get(approval)).toMatchObject({ status: 'used' })
    await app.close()
  })

  test('that is protected from nobody in particular stays so', async () => {
    const { app, id, version } = await open()
    await app.prompts.labels.protect('production')
    await expect(app.prompts.labels.set(id, 'production', version.id)).rejects.toMatchObject({
      code: 'LABEL_PROTECTED',
    })
    await app.close()
  })
})
