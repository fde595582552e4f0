import { memoryStorage } from '@minions/core/memory'
import { createMinions } from '@minions/host'
import { prompts } from '@minions/prompts'
import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readFile, writeFile } from '../src/files/prompt-file.js'
import { exporters } from '../src/index.js'

async function open() {
  const app = await createMinions({ storage: memoryStorage(), plugins: [prompts(), exporters()] })
  onTestFinished(() => app.close())
  return app
}

const text = fc
  .array(fc.oneof(fc.string(), fc.constantFrom('---', '\n', '# a', '[user]', '{{x}}', ': ', '\t')), { maxLength: 6 })
  .map((parts) => parts.join(''))
const word = fc.constantFrom('a', 'a: b', '- x', '"q"', '# h', '---', 'é\n---\nb', 'true', '1')

it('reads back every file', () => {
  const shared = {
    title: word,
    description: fc.option(word, { nil: undefined }),
    tags: fc.option(fc.array(word, { minLength: 1 }), { nil: undefined }),
    settings: fc.option(fc.constant({ temperature: 0, stop: ['---'] }), { nil: undefined }),
  }
  const message = fc.record({ role: fc.constantFrom('system' as const, 'user' as const), content: text })
  const state = fc.oneof(
    fc.record({ content: text, ...shared }),
    fc.record({ messages: fc.array(message, { minLength: 1, maxLength: 3 }), ...shared }),
  )
  fc.assert(
    fc.property(state, fc.constantFrom('v1', undefined), (given, version) => {
      const plain = JSON.parse(JSON.stringify(given).replaceAll('\\r\\n', '\\n'))
      expect(JSON.parse(JSON.stringify(readFile(writeFile({ name: 'a/b', version, state: plain }))))).toEqual(
        JSON.parse(JSON.stringify({ path: 'a/b.md', name: 'a/b', version, state: plain })),
      )
    }),
    { numRuns: 1000 },
  )
})

it('pulls, takes edits back as versions, and is up to date then', async () => {
  const app = await open()
  await app.prompts.create({ title: 'Tone', content: 'Be kind.' })
  await app.prompts.create({ title: 'Bot', name: 'crm/bot', messages: [{ role: 'user', content: '{{> tone}} {{x}}' }] })
  const pulled = await app.exporters.pull()
  expect(pulled.map(({ path, change }) => [path, change])).toEqual([
    ['crm/bot.md', 'created'],
    ['tone.md', 'created'],
  ])
  const files = pulled.map(({ path, text = '' }) => ({ path, text }))
  expect(files[0]?.text).toContain('type: chat\nversion: ')
  expect(files[0]?.text).toContain('[user]\n{{> tone}} {{x}}\n')
  const edited = files.map((file) => ({ ...file, text: file.text.replace('kind', 'very kind') }))
  const fresh = { path: 'letter.md', text: 'Dear {{name}}\n' }
  const dry = await app.exporters.push([...edited, fresh], { dryRun: true })
  expect(dry.map(({ change }) => change)).toEqual(['unchanged', 'changed', 'created'])
  expect(dry[1]?.diff.contentDiff).toEqual([
    { type: 'remove', text: 'Be kind.' },
    { type: 'add', text: 'Be very kind.' },
  ])
  expect(await app.prompts.find('letter')).toBeUndefined()
  const pushed = await app.exporters.push([...edited, fresh], { by: 'ada', changelog: 'Kinder' })
  expect((await app.prompts.latest('tone')).fields).toMatchObject({ content: 'Be very kind.', changelog: 'Kinder' })
  expect(await app.prompts.render('tone')).toBe('Be kind.')
  const after = [...edited, fresh].map((file, index) => ({ ...file, text: pushed[index]?.text ?? file.text }))
  expect((await app.exporters.push(after)).map(({ change }) => change)).toEqual(['unchanged', 'unchanged', 'unchanged'])
  expect((await app.exporters.pull(after)).map(({ change }) => change)).toEqual(['unchanged', 'unchanged', 'unchanged'])
})

it('pulls in the order of paths, also prompts of the same millisecond', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const app = await open()
  const names = Array.from({ length: 12 }, (_, index) => `p${String(index).padStart(2, '0')}`)
  for (const name of names.toReversed()) await app.prompts.create({ title: name, content: name })
  expect((await app.exporters.pull()).map(({ path }) => path)).toEqual(names.map((name) => `${name}.md`))
})

it('refuses what was changed on both sides with both texts, and writes nothing', async () => {
  const app = await open()
  for (const title of ['A', 'B']) await app.prompts.create({ title, content: `${title} one` })
  const files = (await app.exporters.pull()).map(({ path, text = '' }) => ({ path, text }))
  await app.prompts.addVersion('a', { content: 'A of the store' })
  const mine = files.map((file) => ({ ...file, text: file.text.replace('one', 'of the file') }))
  for (const work of [() => app.exporters.push(mine), () => app.exporters.pull(mine)]) {
    await expect(work).rejects.toMatchObject({
      code: 'FILES_CONFLICT',
      details: {
        conflicts: [
          {
            path: 'a.md',
            file: expect.stringContaining('A of the file'),
            store: expect.stringContaining('A of the store'),
          },
        ],
      },
    })
  }
  expect((await app.prompts.history('b')).length).toBe(1)
  // A file that was not edited is brought up to date; one that was stays.
  const pulled = await app.exporters.pull([files[0] as (typeof files)[0], mine[1] as (typeof mine)[0]])
  expect(pulled.map(({ change }) => change)).toEqual(['changed', 'edited'])
  expect(pulled[0]?.text).toContain('A of the store')
  expect((await app.exporters.push([files[0] as (typeof files)[0]])).map(({ change }) => change)).toEqual(['behind'])
})

it.each([
  ['---\nname: ../x\n---\n', /cannot be the name/],
  ['---\nnope: 1\n---\n', /"nope" is not a property/],
  ['---\ntitle: 7\n---\n', /title must be a string/],
  ['---\ntype: chat\n---\nhello\n', /Line 1/],
  ['---\ntags: x\n---\n', /tags must be/],
  [
    `---\na: &a [1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nsettings: {x: [*c,*c,*c]}\n---\n`,
    /YAML/,
  ],
  ['---\ntitle: T\n---\n{{#if}}\n', /Template error/],
])('refuses the file %j and writes nothing', async (text, message) => {
  const app = await open()
  await expect(
    app.exporters.push([
      { path: 'ok.md', text: 'fine' },
      { path: 'bad.md', text },
    ]),
  ).rejects.toThrow(message)
  expect(await app.count({})).toBe(0)
})
