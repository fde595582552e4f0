import { isMinionsError, type MinionsError } from '@minions/core'
import { property } from '@minions/core/operations'
import { Type } from 'typebox'
import { PromptMessageSchema } from '../chat/message.js'
import { parseMessages } from '../chat/message-text.js'
import { promptsError } from '../errors.js'
import { compileTemplate } from '../template/compiled-template.js'
import { TemplateError } from '../template/template-error.js'
import { operation, Variables } from './inputs.js'

/** A mistake in a template. Not an `Issue`: a template is text, in which a line and a column say where. */
const ProblemSchema = Type.Object({
  message: Type.String(),
  line: Type.Optional(Type.Integer({ description: 'Counted from 1.' })),
  column: Type.Optional(Type.Integer({ description: 'Counted from 1, in characters.' })),
})

export const preview = operation({
  name: 'prompts.preview',
  summary: 'Render a template that is not stored, and report problems',
  description: 'For editors: an incomplete template gives problems, not an error. Fragments are kept as written.',
  access: 'read',
  input: {
    content: property.text('The template; `{{name}}` is a variable.', 'Hello {{name}}!', { maxLength: 1_000_000 }),
    variables: Type.Optional(Variables),
    chat: property.flag('True for the text of a chat prompt: messages, each below a line such as [user].'),
  },
  output: Type.Object({
    text: Type.Optional(Type.String({ description: 'The rendered text; absent if it cannot be rendered.' })),
    variables: Type.Array(Type.String(), { description: 'Variables that it uses, in order of first use.' }),
    missing: Type.Array(Type.String(), { description: 'Those without a value.' }),
    problems: Type.Array(ProblemSchema),
    messages: Type.Optional(
      Type.Array(PromptMessageSchema, {
        description: 'For a chat prompt: its messages, as prompts.addVersion takes them.',
      }),
    ),
  }),
  examples: [
    { title: 'Half written', input: { content: 'Hello {{name' } },
    { title: 'With a variable', input: { content: 'Hello {{name}}!', variables: { name: 'Ada' } } },
    { title: 'A chat prompt', input: { content: '[system]\nBe brief.\n\n[user]\n{{request}}', chat: true } },
  ],
  run({ content, variables = {}, chat = false }) {
    try {
      const template = compileTemplate(content)
      const missing = template.variables.filter((name) => !Object.hasOwn(variables, name))
      const text = template.render(variables, { strict: false })
      const messages = chat ? { messages: parseMessages(content) } : {}
      return { text, variables: [...template.variables], missing, problems: [], ...messages }
    } catch (error) {
      if (!isMinionsError(error)) throw error
      return { variables: [], missing: [], problems: [{ message: error.message, ...locationOf(error) }] }
    }
  },
})

function locationOf(error: MinionsError): { line?: number; column?: number } {
  if (error instanceof TemplateError) return { line: error.line, column: error.column }
  const { line } = error.details
  return promptsError.is(error, 'MESSAGES_INVALID') && typeof line === 'number' ? { line, column: 1 } : {}
}
