import { describe, expect, it } from 'vitest'
import { backends, openStore, type TestStore } from './stores.js'

const contents = (minions: readonly { fields: { content: string } }[]) => minions.map(({ fields }) => fields.content)

async function publishTwice({ prompts }: TestStore) {
  const prompt = await prompts.create({ title: 'P', content: 'zero {{x}}', tags: ['first'] })
  const v1 = await prompts.addVersion(prompt.id, { content: 'one', description: 'of v1' })
  const v2 = await prompts.addVersion(prompt.id, { content: 'two' })
  await prompts.publish(v1.id)
  await prompts.publish(v2.id)
  return { prompt, v1, v2 }
}

describe.each(backends)('publishing again on %s', (_, create) => {
  it('takes over what changed of the version besides its content', async () => {
    const store = await openStore(create())
    const { client, prompts } = store
    const { v2 } = await publishTwice(store)
    await prompts.update(v2.id, { description: 'of v2', tags: ['new'] })
    const published = await prompts.publish(v2.id)
    expect(published).toMatchObject({ description: 'of v2', tags: ['new'], fields: { content: 'two' } })
    const { updatedAt } = await prompts.publish(v2.id)
    expect(updatedAt).toBe(published.updatedAt)
    const first = await prompts.rollback(v2.id, 0)
    expect((await prompts.rollback(v2.id, 0)).updatedAt).toBe(first.updatedAt)
    await client.close()
  })
})

describe.each(backends)('the past of a published prompt on %s', (_, create) => {
  it('stays as it was, wherever version 0 is read', async () => {
    const store = await openStore(create())
    const { client, prompts } = store
    const { prompt, v1 } = await publishTwice(store)
    expect(contents(await prompts.history(prompt.id))).toEqual(['zero {{x}}', 'one', 'two'])
    const [first] = await prompts.history(v1.id)
    expect(first).toMatchObject({ id: prompt.id, tags: ['first'], fields: { tags: ['first'], variables: ['x'] } })
    expect([first?.description, first?.fields.description]).toEqual([undefined, undefined])
    expect(first?.searchableText).toBe(prompt.searchableText)
    expect((await prompts.versionAt(prompt.id, prompt.createdAt))?.fields.content).toBe('zero {{x}}')
    const diff = await prompts.diff(prompt.id, v1.id)
    expect(diff.changed).toContainEqual({ field: 'content', from: 'zero {{x}}', to: 'one' })
    expect((await prompts.diff(v1.id, prompt.id)).contentDiff).toHaveLength(2)
    await client.close()
  })

  it('does not hide what is published', async () => {
    const store = await openStore(create())
    const { client, prompts } = store
    const { prompt, v1, v2 } = await publishTwice(store)
    expect((await prompts.get(prompt.id)).fields.content).toBe('two')
    expect(await prompts.render(prompt.id)).toBe('two')
    expect((await prompts.published(prompt.id)).id).toBe(v2.id)
    const other = await prompts.create({ title: 'Q', content: 'q' })
    expect(
      [...(await prompts.publishedVersions([prompt, other]))].map(([id, { id: version }]) => [id, version]),
    ).toEqual([
      [prompt.id, v2.id],
      [other.id, other.id],
    ])
    await prompts.rollback(prompt.id)
    expect((await prompts.published(prompt.id)).id).toBe(v1.id)
    await client.close()
  })

  it('can be rendered, tested and compared by number', async () => {
    const store = await openStore(create())
    const { client, prompts } = store
    const { prompt, v1 } = await publishTwice(store)
    const first = { prompt: v1.id, version: 0 }
    expect(await prompts.render(first, { x: 1 })).toBe('zero 1')
    expect(await prompts.render({ prompt: prompt.id, version: v1.id })).toBe('one')
    expect((await prompts.diff(first, { prompt: prompt.id, version: 1 })).contentDiff).toHaveLength(2)
    await expect(prompts.render({ prompt: prompt.id, version: 7 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const test = await prompts.tests.create(prompt.id, { inputVariables: { x: 2 } })
    const [result] = await prompts.tests.runAll(first, () => ({ scores: {}, passed: true }))
    expect(result?.fields.renderedPrompt).toBe('zero 2')
    const scored = await prompts.tests.run(first, test.id, { scores: {}, passed: true })
    expect(scored.fields.renderedPrompt).toBe('zero 2')
    const seen: string[] = []
    const evaluate = (text: string) => {
      seen.push(text)
      return { scores: { tone: 1 }, passed: true }
    }
    await prompts.compare(first, prompt.id, { evaluate })
    expect(seen).toEqual(['zero 2', 'two'])
    await client.close()
  })

  it('survives a version that is removed for good, and edits by hand', async () => {
    const store = await openStore(create())
    const { client, prompts } = store
    const { prompt, v1, v2 } = await publishTwice(store)
    await client.hardDelete(v1.id)
    await client.hardDelete(v2.id)
    expect(contents(await prompts.history(prompt.id))).toEqual(['zero {{x}}'])
    await client.update(prompt.id, { fields: { content: 'by hand' } })
    expect(contents(await prompts.history(prompt.id))).toEqual(['zero {{x}}'])
    expect(await prompts.render(prompt.id)).toBe('by hand')
    const back = await prompts.publish(prompt.id, 0)
    expect(back.fields.content).toBe('zero {{x}}')
    await client.close()
  })

  it('is whole again after rolling back to it', async () => {
    const store = await openStore(create())
    const { client, prompts } = store
    const { prompt } = await publishTwice(store)
    expect((await prompts.get(prompt.id)).description).toBe('of v1')
    const back = await prompts.rollback(prompt.id, 0)
    expect(back).toEqual({ ...prompt, updatedAt: back.updatedAt })
    expect(await prompts.history(prompt.id)).toHaveLength(3)
    expect((await prompts.history(prompt.id))[0]).toEqual(back)
    expect((await prompts.published(prompt.id)).id).toBe(prompt.id)
    await client.close()
  })

  it('is version 0 whatever other versions go without a number', async () => {
    const store = await openStore(create())
    const { client, prompts } = store
    const { prompt } = await publishTwice(store)
    const loose = await client.create('prompt-version', { title: 'L', fields: { content: 'loose' } })
    await client.link({ sourceId: loose.id, targetId: prompt.id, type: 'follows' })
    expect(await prompts.render({ prompt: prompt.id, version: 0 }, { x: 1 })).toBe('zero 1')
    expect((await prompts.rollback(prompt.id, 0)).fields.content).toBe('zero {{x}}')
    await client.close()
  })

  it('is what a rollback goes to when nothing older is left', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'zero' })
    const v1 = await prompts.addVersion(prompt.id, { content: 'one' })
    const v2 = await prompts.addVersion(prompt.id, { content: 'two' })
    await prompts.publish(v2.id)
    await client.softDelete(v1.id)
    expect((await prompts.rollback(prompt.id)).fields.content).toBe('zero')
    await prompts.publish(v2.id)
    await client.hardDelete(v2.id)
    expect((await prompts.rollback(prompt.id)).fields.content).toBe('zero')
    await expect(prompts.rollback(prompt.id)).rejects.toMatchObject({ code: 'NOTHING_PUBLISHED' })
    await client.close()
  })

  it('is kept once by publications at the same time', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'zero' })
    const versions = [
      await prompts.addVersion(prompt.id, { content: 'one' }),
      await prompts.addVersion(prompt.id, { content: 'two' }),
    ]
    await Promise.all(versions.map(({ id }) => prompts.publish(id)))
    const relations = await client.relations(prompt.id, { direction: 'outgoing', type: 'references' })
    const numbers = relations.flatMap(({ metadata }) => Object(metadata).publication ?? [])
    expect(numbers.sort()).toEqual([1, 2, 3])
    expect((await prompts.history(prompt.id))[0]?.fields.content).toBe('zero')
    expect((await prompts.published(prompt.id)).fields.content).toBe((await prompts.get(prompt.id)).fields.content)
    await client.close()
  })

  it('is found where an earlier release published, and nothing is made up where content was only edited', async () => {
    const { client, prompts } = await openStore(create())
    const prompt = await prompts.create({ title: 'P', content: 'zero' })
    const v1 = await prompts.addVersion(prompt.id, { content: 'one' })
    const metadata = { publication: 1, replaced: { content: 'zero', variables: [] } }
    await client.link({ sourceId: prompt.id, targetId: v1.id, type: 'references', metadata })
    await client.update(prompt.id, { fields: { content: 'one' } })
    expect(contents(await prompts.history(prompt.id))).toEqual(['zero', 'one'])
    const edited = await prompts.create({ title: 'Q', content: 'old' })
    await prompts.publish(edited.id)
    await client.update(edited.id, { fields: { content: 'new' } })
    expect(contents(await prompts.history(edited.id))).toEqual(['new'])
    await client.close()
  })
})
