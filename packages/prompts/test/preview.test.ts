import { runOperation } from '@minions/core/operations'
import { createMinions } from '@minions/host'
import { expect, it, onTestFinished } from 'vitest'
import { prompts } from '../src/index.js'

async function preview(input: { content: string; variables?: object; chat?: boolean }) {
  const app = await createMinions({ storage: 'memory:', plugins: [prompts()] })
  onTestFinished(() => app.close())
  return runOperation(app, 'prompts.preview', input)
}

it('a draft is rendered as far as there are values', async () => {
  expect(await preview({ content: 'Hello {{name}} of {{town}}!', variables: { name: 'Ada' } })).toEqual({
    text: 'Hello Ada of {{town}}!',
    variables: ['name', 'town'],
    missing: ['town'],
    problems: [],
  })
})

it('what is wrong with a draft is told with its place, and is not an error', async () => {
  expect(await preview({ content: 'Hello\n{{#if a}}x' })).toMatchObject({
    variables: [],
    problems: [{ line: 2, column: 1, message: expect.stringContaining('if') }],
  })
})

it('a draft of a chat prompt is read as messages, ready to be saved', async () => {
  expect(await preview({ content: '[system]\nBe brief.\n\n[messages]\n{{history}}', chat: true })).toMatchObject({
    variables: ['history'],
    problems: [],
    messages: [{ role: 'system', content: 'Be brief.' }, { placeholder: 'history' }],
  })
  expect(await preview({ content: 'Be brief.', chat: true })).toMatchObject({
    problems: [{ line: 1, message: expect.stringContaining('comes before the first message') }],
  })
})
