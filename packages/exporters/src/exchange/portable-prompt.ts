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

/** A prompt as foreign formats see it: one version, with everything that belongs to it. */
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
  /** Its name, such as `settings.topK`. */
  readonly part: string
  readonly why: string
  /** The model input would change, so it is refused unless the caller accepts it. */
  readonly breaking: boolean
}

/** Notes something that a format cannot hold; `breaking` by default. */
export type Lose = (part: string, why: string, breaking?: boolean) => void

/** Reads a prompt as published, or a version, with fragments expanded. */
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

/** A copy without undefined properties. */
export function defined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}

/** Notes the properties that message formats do not hold, and that are not sent to a model. */
export function besideTheMessages(
  { title, name, description, tags, variables, tests }: PortablePrompt,
  lose: Lose,
): void {
  const parts = defined({ title, name, description, tags, variables, tests })
  for (const part of Object.keys(parts)) lose(part, 'messages do not have it', false)
}

/** The messages of a prompt that have content; placeholders for messages are lost. */
export function spoken(format: string, prompt: PortablePrompt, lose: Lose): { role: string; content: string }[] {
  const list = prompt.messages ?? [{ role: 'user' as const, content: prompt.content }]
  return list.flatMap((message) => {
    if (!isPlaceholder(message)) return [{ ...message }]
    const why = `${format} has no placeholders for messages; pass variables to fill it in`
    lose(`messages.${message.placeholder}`, why)
    return []
  })
}
