import type { JsonObject } from '@minions/core/json'
import {
  isPlaceholder,
  messagesOf,
  type PromptBody,
  type PromptReference,
  type PromptsApi,
  type TestInput,
  type VariableInput,
} from '@minions/prompts'

/** A prompt as formats of others see it: one version, with everything that belongs to it. */
export type PortablePrompt = PromptBody & {
  readonly title: string
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly settings?: JsonObject | undefined
  readonly responseSchema?: JsonObject | undefined
  readonly variables?: readonly VariableInput[] | undefined
  readonly tests?: readonly TestInput[] | undefined
}

/** Something that a format cannot hold. */
export interface Loss {
  /** What it is, such as `settings.topK`. */
  readonly part: string
  readonly why: string
  /** A model would be sent something else, so it is refused unless the caller accepts it. */
  readonly breaking: boolean
}

/** Reads a prompt as it is published, or a version, with what it includes in place. */
export async function readPortable(prompts: PromptsApi, reference: PromptReference): Promise<PortablePrompt> {
  const { version, declared } = await prompts.ready(reference)
  const { id, title, fields } = version
  const { description, tags, settings, responseSchema } = fields
  const messages = messagesOf(version)
  const name = await prompts.nameOf(id)
  const tests = (await prompts.tests.list(id)).map((test): TestInput => {
    const { inputVariables, expectedCriteria, scoringDimensions, assertions, golden } = test.fields
    return defined({
      title: test.title,
      inputVariables: inputVariables as JsonObject,
      expectedCriteria,
      scoringDimensions,
      assertions,
      golden,
    })
  })
  const variables = declared.map(
    ({ title: variable, fields: { variableType, required, defaultValue, description: what, example } }) =>
      defined({ name: variable, variableType, required, defaultValue, description: what, example }),
  )
  return {
    ...(messages ? { messages } : { content: fields.content }),
    title,
    ...defined({ name, description, tags, settings, responseSchema }),
    ...(variables.length > 0 && { variables }),
    ...(tests.length > 0 && { tests }),
  }
}

/** Without what is undefined. */
export function defined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}

/** What message formats do not hold, and no model is sent. */
export function besideTheMessages({ title, name, description, tags, variables, tests }: PortablePrompt): Loss[] {
  const parts = defined({ title, name, description, tags, variables, tests })
  return Object.keys(parts).map((part) => ({ part, why: 'messages do not say it', breaking: false }))
}

/** Those messages of a prompt that speak; places for messages are lost. */
export function spoken(
  format: string,
  prompt: PortablePrompt,
): { messages: { role: string; content: string }[]; lost: Loss[] } {
  const list = prompt.messages ?? [{ role: 'user' as const, content: prompt.content }]
  return {
    messages: list.flatMap((message) => (isPlaceholder(message) ? [] : [{ ...message }])),
    lost: list.flatMap((message) =>
      isPlaceholder(message)
        ? [
            {
              part: `messages.${message.placeholder}`,
              why: `${format} has no place for messages; give variables, and it is filled in`,
              breaking: true,
            },
          ]
        : [],
    ),
  }
}
