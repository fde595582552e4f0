import { memoryStorage } from '@minions/core/memory'
import { type } from 'arktype'
import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { messagesOf, messagesText, PromptDiff, type PromptMessage, parseMessages } from '../src/index.js'
import { backends, openStore } from './stores.js'

const messages: PromptMessage[] = [
  { role: 'system', content: 'Be kind to {{name}}.' },
  { placeholder: 'history', optional: true },
  { role: 'user', content: '{{question}}' },
]
const conversation = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
]

const line = fc.oneof(
  fc.constantFrom('[user]', '\\[user]', '[messages]', '\\\\[system]', '', '{{a}}', '\\', '[other]', ' [user]'),
  fc.string(),
)
const message = fc.oneof(
  fc.record({
    role: fc.constantFrom('system' as const, 'developer' as const, 'user' as const, 'assistant' as const),
    content: fc.array(line).map((lines) => lines.join('\n')),
  }),
  fc.record({ placeholder: fc.constantFrom('a', 'history', '_x1') }),
  fc.record({ placeholder: fc.constantFrom('a', 'history'), optional: fc.constant(true) }),
)

it('reads back every list of messages from its text', () => {
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 6 }), (list) => {
      expect(parseMessages(messagesText(list))).toEqual(list)
    }),
    { numRuns: 2000 },
  )
})

it.each([
  ['hello', 1],
  ['[user]', 1],
  ['[user]\na\n[user]\nb', 3],
  ['[messages]\nhello', 1],
  ['', 1],
])('says in which line %j is not a list of messages', (text, line) => {
  expect(() => parseMessages(text)).toThrow(expect.objectContaining({ code: 'MESSAGES_INVALID', details: { line } }))
})

describe('a response schema of another library', () => {
  it.each([
    ['zod', z.object({ answer: z.string().min(1) })],
    ['arktype', type({ answer: 'string > 0' })],
  ])('from %s is stored as JSON Schema', async (_, responseSchema) => {
    const { client, prompts } = await openStore(memoryStorage())
    const { id } = await prompts.create({ title: 'Bot', content: 'Hi', responseSchema })
    expect((await client.get(id))?.fields.responseSchema).toMatchObject({
      type: 'object',
      required: ['answer'],
      properties: { answer: { type: 'string', minLength: 1 } },
    })
  })

  it('is refused where it has no JSON Schema', async () => {
    const { prompts } = await openStore(memoryStorage())
    const refused = prompts.create({ title: 'Bot', content: 'Hi', responseSchema: v.object({ answer: v.string() }) })
    await expect(refused).rejects.toMatchObject({ code: 'INVALID_SCHEMA', message: expect.stringContaining('valibot') })
  })
})

describe.each(backends)('chat prompts on %s', (_, create) => {
  const open = () => openStore(create())

  it('renders messages, and inserts those that are given', async () => {
    const { prompts } = await open()
    const settings = { model: 'large-3', temperature: 0 }
    const responseSchema = { type: 'object', required: ['answer'] }
    const { id } = await prompts.create({ title: 'Bot', messages, settings, responseSchema })
    expect(await prompts.renderMessages('bot', { name: 'Ada', question: 'Why?', history: conversation })).toEqual([
      { role: 'system', content: 'Be kind to Ada.' },
      ...conversation,
      { role: 'user', content: 'Why?' },
    ])
    expect(
      await prompts.renderMessages('bot', { name: 'Ada', question: 'Why?' }, { label: 'production' }),
    ).toHaveLength(2)
    expect(await prompts.render('bot', { name: 'Ada', question: 'Why?' })).toBe(
      '[system]\nBe kind to Ada.\n\n[messages]\n\n\n[user]\nWhy?',
    )
    const stored = await prompts.get(id)
    expect(stored.fields).toMatchObject({ settings, responseSchema, variables: ['name', 'history', 'question'] })
    await expect(prompts.renderMessages('bot', {})).rejects.toMatchObject({
      code: 'VARIABLES_MISSING',
      missingVariables: ['name', 'question'],
    })
    await expect(prompts.renderMessages('bot', { name: 1, question: 2, history: 'no' })).rejects.toMatchObject({
      code: 'VARIABLE_INVALID',
    })
  })

  it('gives a text as one message of the user', async () => {
    const { prompts } = await open()
    await prompts.create({ title: 'T', content: 'Hi {{name}}' })
    expect(await prompts.renderMessages('t', { name: 'Bo' })).toEqual([{ role: 'user', content: 'Hi Bo' }])
  })

  it('turns from a text to messages and back by versions, and rolls back', async () => {
    const { prompts } = await open()
    const { id } = await prompts.create({ title: 'P', content: 'one' })
    await prompts.addVersion(id, { messages, settings: { temperature: 1 } })
    await prompts.addVersion(id, { content: 'three' })
    await prompts.publish(id, 1)
    expect(messagesOf(await prompts.get(id))).toEqual(messages)
    await prompts.publish(id, 2)
    expect((await prompts.get(id)).fields).not.toHaveProperty('messages')
    expect((await prompts.get(id)).fields).not.toHaveProperty('settings')
    await prompts.publish(id, 1)
    expect((await prompts.get(id)).fields.settings).toEqual({ temperature: 1 })
    await prompts.publish(id, 0)
    expect((await prompts.get(id)).fields).toMatchObject({ content: 'one' })
    expect(messagesOf(await prompts.get(id))).toBeUndefined()
    expect(
      new PromptDiff().format(await prompts.diff({ prompt: id, version: 0 }, { prompt: id, version: 1 })),
    ).toContain('+ Be kind to {{name}}.')
  })

  it('is a text again once the content is written alone, as programs do that know no messages', async () => {
    const { client, prompts } = await open()
    const { id } = await prompts.create({ title: 'P', messages })
    await client.update(id, { fields: { content: 'plain {{a}}' } })
    const { fields } = await prompts.get(id)
    expect(fields).toMatchObject({ content: 'plain {{a}}', variables: ['a'] })
    expect(fields).not.toHaveProperty('messages')
  })

  it.each([
    [{ messages: [] }, /non-empty list/],
    [{ messages: [{ role: 'tool', content: 'x' }] }, /messages\[0\]/],
    [{ messages: [{ role: 'user', content: 'ok' }, { role: 'user' }] }, /messages\[1\]/],
    [{ messages: [{ placeholder: 'this' }] }, /reserved/],
    [{ messages, content: 'other' }, /not both/],
    [{ content: 'x', settings: ['a'] }, /settings/],
    [{ content: 'x', responseSchema: { type: 'nonsense' } }, /schema/i],
    [{ messages: [{ role: 'user', content: 'a\n{{#if x}}' }] }, /messages\[0\], line 2, column 1/],
    [{}, /content or messages/],
  ])('refuses %j and writes nothing', async (body, message) => {
    const { client, prompts } = await open()
    await expect(prompts.create({ title: 'P', ...(body as { content: string }) })).rejects.toThrow(message)
    expect(await client.count({})).toBe(0)
  })

  it('tests answers with the messages that were sent and the schema that they must fit', async () => {
    const { prompts } = await open()
    await prompts.create({
      title: 'P',
      messages,
      settings: { model: 'm' },
      responseSchema: { type: 'object', required: ['answer'] },
    })
    for (const question of ['a', 'b']) {
      await prompts.tests.create('p', { inputVariables: { name: 'Ada', question }, assertions: { contains: ['x'] } })
    }
    const results = await prompts.tests.runAll('p', undefined, {
      answer: (_text, { messages: sent, settings }) =>
        sent.at(-1)?.content === 'a' ? `{"answer":"x ${settings?.model}"}` : 'x, but not JSON',
    })
    expect(results.map(({ fields }) => [fields.passed, fields.scores])).toEqual([
      [true, { contains: 100, responseSchema: 100 }],
      [false, { contains: 100, responseSchema: 0 }],
    ])
  })

  it('lints messages that some models refuse', async () => {
    const { prompts } = await open()
    const list: PromptMessage[] = [
      { role: 'user', content: 'Hi' },
      { role: 'system', content: ' ' },
    ]
    await prompts.create({ title: 'P', messages: list })
    const rules = (await prompts.lint('p')).map(({ rule }) => rule)
    expect(rules).toEqual(['late-system-message', 'empty-message', 'missing-test'])
  })
})
