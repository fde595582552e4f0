import { describe, expect, it } from 'vitest'
import type { PromptDocument } from '../src/index.js'
import { backends, openStore } from './stores.js'

type Store = Awaited<ReturnType<typeof openStore>>

/** A prompt with two branches, a deleted version, variables, tests, results and a publication. */
async function fill({ client, prompts }: Store) {
  const prompt = await prompts.create({ title: 'P', content: 'Hi {{name}}', description: 'd', tags: ['t'] })
  await prompts.variables.define(prompt.id, { name: 'name', defaultValue: 'Ada' })
  const v1 = await prompts.addVersion(prompt.id, { content: 'Hello {{name}}', changelog: 'x' })
  const v2 = await prompts.addVersion(v1.id, { content: 'Hey {{name}}' })
  await prompts.addVersion(v2.id, { content: 'Ho {{name}}' })
  await prompts.addVersion(v1.id, { content: 'Branch {{name}}' })
  await client.softDelete(v2.id)
  const test = await prompts.tests.create(prompt.id, { inputVariables: {}, scoringDimensions: ['tone'] })
  await prompts.tests.run(v1.id, test.id, { scores: { tone: 70 }, passed: true, model: 'm' })
  await prompts.tests.run(prompt.id, test.id, { scores: { tone: 60 }, passed: false })
  await prompts.publish(v1.id)
  // What does not belong to the prompt.
  const other = await prompts.create({ title: 'Q', content: 'q' })
  await client.link({ sourceId: other.id, targetId: v1.id, type: 'relates_to' })
  const note = await client.create('note', { title: 'n', fields: { content: 'n' } })
  await client.link({ sourceId: note.id, targetId: v1.id, type: 'references' })
  return { prompt, v1, v2, test }
}

describe.each(backends)('JSON export on %s', (_, create) => {
  it('contains everything that belongs to the prompt, from whichever version it is asked', async () => {
    const store = await openStore(create())
    const { prompt, v1, v2 } = await fill(store)
    const document = await store.exporter.toJSON(prompt.id)
    expect(document.prompt).toEqual(await store.client.get(prompt.id))
    expect(document.versions.map(({ fields }) => fields.versionNumber)).toEqual([1, 2, 3, 2])
    expect(document.versions[1]).toMatchObject({ id: v2.id, deletedAt: expect.any(String) })
    expect([document.variables, document.tests, document.results].map((list) => list.length)).toEqual([1, 1, 2])
    const count = (type: string) => document.relations.filter((relation) => relation.type === type).length
    expect([count('follows'), count('part_of'), count('references'), count('relates_to')]).toEqual([4, 6, 7, 0])
    expect(await store.exporter.toJSON(v1)).toEqual(document)
    await store.client.close()
  })

  it('goes into an empty store and comes out the same', async () => {
    const [from, to] = [await openStore(create()), await openStore(create())]
    const { prompt, v1 } = await fill(from)
    const document = await from.exporter.toJSON(prompt.id)
    const imported = await to.exporter.importJSON(JSON.stringify(document))
    expect(imported).toEqual(document.prompt)
    expect(await to.exporter.toJSON(prompt.id)).toEqual(document)
    expect((await to.prompts.history(prompt.id))[0]?.fields.content).toBe('Hi {{name}}')
    expect((await to.prompts.published(prompt.id)).id).toBe(v1.id)
    await to.exporter.importJSON(document)
    expect(await to.exporter.toJSON(prompt.id)).toEqual(document)
    expect(await to.prompts.render(v1.id)).toBe('Hello Ada')
    expect((await to.prompts.published(prompt.id)).id).toBe(v1.id)
    expect((await to.client.search('branch')).items).toHaveLength(1)
    const lying = { ...structuredClone(document), prompt: { ...document.prompt, searchableText: 'nothing of it' } }
    const third = await openStore(create())
    await third.exporter.importJSON(lying)
    expect(await third.exporter.toJSON(prompt.id)).toEqual(document)
    await third.client.close()
    await to.client.update(v1.id, { title: 'changed' })
    await expect(to.exporter.importJSON(document)).rejects.toMatchObject({ code: 'CONFLICT' })
    await Promise.all([from.client.close(), to.client.close()])
  })

  it('refuses a document that could not have been exported, and imports nothing of it', async () => {
    const [from, to] = [await openStore(create()), await openStore(create())]
    const { prompt, v1 } = await fill(from)
    const original = await from.exporter.toJSON(prompt.id)
    const cases: [string, (document: PromptDocument) => unknown, string][] = [
      ['no object', () => 'null', 'IMPORT_INVALID'],
      ['no JSON', () => '{', 'IMPORT_INVALID'],
      ['another version', (d) => ({ ...d, version: 2 }), 'IMPORT_INVALID'],
      ['a missing part', ({ tests: _tests, ...d }) => d, 'IMPORT_INVALID'],
      ['a function', (d) => ({ ...d, extra: () => 1 }), 'IMPORT_INVALID'],
      ['a test among the versions', (d) => ({ ...d, versions: d.tests, tests: [] }), 'IMPORT_INVALID'],
      ['an id twice', (d) => ({ ...d, versions: [...d.versions, ...d.versions] }), 'IMPORT_INVALID'],
      ['a missing end of a relation', (d) => ({ ...d, results: [] }), 'IMPORT_INVALID'],
      ['a version without links', (d) => ({ ...d, relations: [] }), 'IMPORT_INVALID'],
      ['invalid fields', (d) => change(d, { content: 7 }), 'IMPORT_INVALID'],
      ['a malformed template', (d) => change(d, { content: '{{' }), 'TEMPLATE_INVALID'],
      [
        'a score of 250',
        (d) => ({ ...d, results: d.results.map((r) => withFields(r, { scores: { tone: 250 } })) }),
        'SCORES_INVALID',
      ],
      [
        'a cycle',
        (d) => ({
          ...d,
          relations: [
            ...d.relations,
            { ...d.relations[0], id: 'x', type: 'follows', sourceId: prompt.id, targetId: v1.id },
          ],
        }),
        'CYCLE',
      ],
    ]
    cases.push([
      'two roots',
      (d) => ({
        ...d,
        versions: [...d.versions, { ...d.prompt, id: 'second' }],
        relations: [
          ...d.relations,
          { ...d.relations[0], id: 'x', type: 'follows', sourceId: v1.id, targetId: 'second' },
        ],
      }),
      'IMPORT_INVALID',
    ])
    const before = await to.client.count({ includeDeleted: true })
    for (const [name, spoil, code] of cases) {
      const spoilt = spoil(structuredClone(original)) as PromptDocument
      await expect(to.exporter.importJSON(spoilt), name).rejects.toMatchObject({ code })
    }
    expect(await to.client.count({ includeDeleted: true })).toBe(before)
    await Promise.all([from.client.close(), to.client.close()])
  })
})

function withFields<M extends { fields: object }>(minion: M, fields: object): M {
  return { ...minion, fields: { ...minion.fields, ...fields } }
}

function change(document: PromptDocument, fields: object): PromptDocument {
  return { ...document, versions: document.versions.map((version) => withFields(version, fields)) }
}
