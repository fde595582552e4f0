import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileTemplate, PromptsApi, printTemplate } from '../src/index.js'
import { promptInclusionsCollection, promptIndexCollection } from '../src/lookup/collections.js'
import { backends, openStore } from './stores.js'
import { everyBackend } from './support/every-backend.js'

const piece = fc.constantFrom(
  'a',
  '{',
  '}',
  '\\',
  '\\\\',
  '\\{{',
  ' ',
  '\n',
  '{{x}}',
  '{{ y }}',
  '{{#if x}}',
  '{{else}}',
  '{{/if}}',
  '{{#each l}}',
  '{{this}}',
  '{{/each}}',
  '{{> f@2}}',
)

it('prints templates that mean the same', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const source = pieces.join('')
      let nodes: ReturnType<typeof compileTemplate>['nodes']
      try {
        nodes = compileTemplate<string>(source).nodes
      } catch {
        return
      }
      const printed = printTemplate(nodes)
      const plain = (value: unknown) =>
        JSON.stringify(value, (key, v) => (key === 'raw' || key === 'offset' ? undefined : v))
      expect(printed && plain(compileTemplate<string>(printed).nodes)).toBe(printed && plain(nodes))
      expect(printed, source).toBeDefined()
    }),
    { numRuns: 3000 },
  )
})

describe.each(backends)('fragments on %s', (_, create) => {
  const open = () => openStore(create())

  it('includes what is published, a label or a version, with its declared defaults', async () => {
    const { prompts } = await open()
    await prompts.create({ title: 'Tone', content: 'Be {{style}}.' })
    await prompts.variables.define('tone', { name: 'style', defaultValue: 'kind' })
    await prompts.addVersion('tone', { content: 'Be very {{style}}.' })
    await prompts.labels.set('tone', 'staging', 1)
    await prompts.create({
      title: 'Bot',
      content: '{{> tone}} {{>tone@staging}} {{> tone@1}} {{#if x}}{{> tone@v0}}{{/if}}',
    })
    expect(await prompts.render('bot', { x: true })).toBe('Be kind. Be very kind. Be very kind. Be kind.')
    expect(await prompts.render('bot', { style: 'short' }, { label: 'production' })).toBe(
      'Be short. Be very short. Be very short. ',
    )
    await prompts.publish('tone', 1)
    expect(await prompts.render('bot', {}, { label: 'production' })).toBe('Be very kind. Be very kind. Be very kind. ')
    await prompts.variables.define('tone', { name: 'style', defaultValue: 'calm' })
    expect(await prompts.render('bot', {}, { label: 'production' })).toMatch(/^Be very calm/)
  })

  it('includes fragments in messages and in other fragments, and tests and lints what comes of it', async () => {
    const { prompts } = await open()
    await prompts.create({ title: 'A', content: '[{{n}}]' })
    await prompts.create({ title: 'B', content: '({{> a}})' })
    await prompts.create({ title: 'C', messages: [{ role: 'user', content: '{{> b}}{{n}}' }] })
    expect(await prompts.renderMessages('c', { n: 1 })).toEqual([{ role: 'user', content: '([1])1' }])
    await prompts.tests.create('c', { inputVariables: { n: 2 }, assertions: { contains: ['([2])2'] } })
    expect((await prompts.tests.runAll('c')).map(({ fields }) => fields.passed)).toEqual([true])
    await prompts.create({ title: 'D', content: '{{> a}}' })
    expect((await prompts.lint('d')).map(({ rule, variable }) => [rule, variable])).toContainEqual([
      'undeclared-variable',
      'n',
    ])
  })

  it('refuses what is missing, itself, cycles and lists of messages when written, and writes nothing', async () => {
    const { client, prompts } = await open()
    await prompts.create({ title: 'A', content: 'a' })
    await prompts.create({ title: 'B', content: '{{> a}}' })
    await prompts.create({ title: 'Chat', messages: [{ role: 'user', content: 'x' }] })
    const count = await client.count({})
    const refused = (work: Promise<unknown>, code: string) => expect(work).rejects.toMatchObject({ code })
    await refused(prompts.create({ title: 'X', content: '{{> nope}}' }), 'FRAGMENT_UNKNOWN')
    await refused(prompts.create({ title: 'X', content: '{{> a@staging}}' }), 'FRAGMENT_UNKNOWN')
    await refused(prompts.create({ title: 'X', content: '{{> a@7}}' }), 'FRAGMENT_UNKNOWN')
    await refused(prompts.create({ title: 'X', content: '{{> chat}}' }), 'FRAGMENT_INVALID')
    await refused(prompts.addVersion('a', { content: '{{> a}}' }), 'FRAGMENT_CYCLE')
    await expect(prompts.addVersion('a', { content: '{{> b}}' })).rejects.toMatchObject({
      code: 'FRAGMENT_CYCLE',
      details: { path: ['a', 'b', 'a'] },
    })
    await refused(prompts.create({ title: 'X', content: '{{> }}' }), 'TEMPLATE_INVALID')
    await refused(prompts.create({ title: 'X', content: '{{> ../etc}}' }), 'TEMPLATE_INVALID')
    expect(await client.count({})).toBe(count)
  })

  it('refuses to move a label where that would close a cycle', async () => {
    const { prompts } = await open()
    await prompts.create({ title: 'A', content: 'a' })
    await prompts.create({ title: 'B', content: 'b' })
    await prompts.addVersion('a', { content: '{{> b}}' })
    await prompts.addVersion('b', { content: '{{> a}}' })
    await prompts.publish('a', 1)
    await expect(prompts.publish('b', 1)).rejects.toMatchObject({ code: 'FRAGMENT_CYCLE' })
    expect(await prompts.render('a')).toBe('b')
  })

  it('refuses messages where others include the prompt as text, and names these', async () => {
    const { client, prompts } = await open()
    const messages = [{ role: 'user' as const, content: 'x' }]
    await prompts.create({ title: 'Tone', content: 'kind' })
    await prompts.addVersion('tone', { messages })
    await prompts.create({ title: 'Bot', content: '{{> tone}}' })
    await prompts.create({ title: 'Old', content: '{{> tone}}' })
    await prompts.addVersion('old', { content: 'nothing' })
    await prompts.publish('old', 1)
    const count = await client.count({})
    await expect(prompts.publish('tone', 1)).rejects.toMatchObject({
      code: 'FRAGMENT_INVALID',
      message: expect.stringContaining('"bot"'),
      details: { label: 'production', includedBy: ['bot'] },
    })
    const shares = [
      { version: 1, weight: 50 },
      { version: 0, weight: 50 },
    ]
    await expect(prompts.labels.split('tone', 'production', shares)).rejects.toMatchObject({ code: 'FRAGMENT_INVALID' })
    expect([await prompts.render('bot'), await client.count({})]).toEqual(['kind', count])
    await prompts.labels.set('tone', 'staging', 1)
    await prompts.labels.set('tone', 'canary', 0)
    await prompts.addVersion('bot', { content: '{{> tone@canary}}' })
    await prompts.publish('bot', 1)
    await prompts.publish('tone', 1)
    await expect(prompts.labels.set('tone', 'canary', 1)).rejects.toMatchObject({ details: { includedBy: ['bot'] } })
    expect(await prompts.render('bot')).toBe('kind')
  })

  it('refuses to go back to messages where others include what came after', async () => {
    const { prompts } = await open()
    await prompts.create({ title: 'Tone', messages: [{ role: 'user', content: 'x' }] })
    await prompts.addVersion('tone', { content: 'kind' })
    await prompts.publish('tone', 1)
    await prompts.create({ title: 'Bot', messages: [{ role: 'user', content: '{{> tone}}' }] })
    await expect(prompts.rollback('tone')).rejects.toMatchObject({
      code: 'FRAGMENT_INVALID',
      details: { includedBy: ['bot'] },
    })
  })

  it('refuses a version of messages where others include the latest one as text', async () => {
    const { prompts } = await open()
    await prompts.create({ title: 'Tone', content: 'kind' })
    await prompts.create({ title: 'Bot', content: '{{> tone@latest}}' })
    await expect(prompts.addVersion('tone', { messages: [{ role: 'user', content: 'x' }] })).rejects.toMatchObject({
      code: 'FRAGMENT_INVALID',
      details: { label: 'latest', includedBy: ['bot'] },
    })
    expect(await prompts.render('bot')).toBe('kind')
  })

  it('refuses a name by which others include what it led to, where they could no longer be rendered', async () => {
    const { client, prompts } = await open()
    await prompts.create({ title: 'B', name: 'b', content: 'b' })
    await prompts.create({ title: 'A', name: 'a', content: 'A {{> b}}' })
    await prompts.create({ title: 'X', name: 'x', content: '{{> a}}' })
    await prompts.create({ title: 'Chat', name: 'chat', messages: [{ role: 'user', content: 'x' }] })
    await prompts.rename('b', 'c')
    const count = await client.count({})
    await expect(prompts.rename('x', 'b')).rejects.toMatchObject({ code: 'FRAGMENT_CYCLE' })
    await expect(prompts.rename('chat', 'b')).rejects.toMatchObject({ code: 'FRAGMENT_INVALID' })
    await expect(prompts.create({ title: 'Y', name: 'b', content: '{{> a}}' })).rejects.toMatchObject({
      code: 'FRAGMENT_CYCLE',
      details: { path: ['a', 'b', 'a'] },
    })
    expect([await prompts.render('a'), await prompts.render('x'), await client.count({})]).toEqual([
      'A b',
      'A b',
      count,
    ])
    await prompts.create({ title: 'Z', name: 'b', content: 'z' })
    expect([await prompts.render('a'), await prompts.render('c')]).toEqual(['A z', 'b'])
  })

  it('does not let a few fragments multiply without end', async () => {
    const { prompts } = await open()
    await prompts.create({ title: 'F0', content: 'x'.repeat(100) })
    for (let level = 1; level < 5; level++) {
      await prompts.create({ title: `F${level}`, content: `{{> f${level - 1}}}`.repeat(10) })
    }
    await expect(prompts.create({ title: 'F5', content: '{{> f4}}'.repeat(10) })).rejects.toMatchObject({
      code: 'FRAGMENT_INVALID',
    })
  })

  it('follows renamed fragments', async () => {
    const { prompts } = await open()
    await prompts.create({ title: 'A', content: 'a' })
    await prompts.create({ title: 'B', content: '{{> a}}' })
    await prompts.rename('a', 'tone/a')
    expect(await prompts.render('b')).toBe('a')
    expect((await prompts.usedBy('tone/a')).map(({ name, as }) => [name, as])).toEqual([['b', 'a']])
    await prompts.create({ title: 'A', name: 'a', content: 'another' })
    expect(await prompts.usedBy('tone/a')).toEqual([])
  })
})

// An embedded PostgreSQL takes long to start, and the index is an ordinary collection there too.
const quickBackends = everyBackend.filter(([name]) => name !== 'PostgreSQL')

describe.each(quickBackends)('users of a fragment on %s', (_, locate) => {
  it('are found, also in a store that was written without the index', async () => {
    const location = locate()
    const { client, prompts } = await openStore(await location())
    await prompts.create({ title: 'A', content: 'a' })
    const b = await prompts.create({ title: 'B', content: '{{> a}}' })
    const v = await prompts.addVersion(b.id, { content: '{{#if x}}{{> a@0}}{{/if}}' })
    const gone = await prompts.addVersion(b.id, { content: '{{> a}}!' })
    await client.softDelete(gone.id)
    const users = [
      { promptId: b.id, name: 'b', versionId: b.id, version: 0, as: 'a' },
      { promptId: b.id, name: 'b', versionId: v.id, version: 1, as: 'a' },
    ]
    expect(await prompts.usedBy('a')).toEqual(users)
    expect(await new PromptsApi(client).usedBy('a')).toEqual(users)
    await client.storage.transaction(async (tx) => {
      await tx.deleteMany(promptInclusionsCollection, [
        [b.id, 'a'],
        [v.id, 'a'],
      ])
      await tx.put(promptIndexCollection, { id: 'prompts', layout: 2, phase: 'done' })
    })
    expect(await prompts.usedBy('a')).toEqual([])
    await client.close()
    const again = await openStore(await location())
    expect(await again.prompts.usedBy('a')).toEqual(users)
    await again.client.close()
  }, 120_000)
})
