import type { JsonObject } from '@minions/core/json'
import type { PromptMessage } from '@minions/prompts'
import type { ExchangeFormat } from './exchange-format.js'
import { besideTheMessages, type Lose, type PortablePrompt, spoken } from './portable-prompt.js'
import { documentOf } from './read-messages.js'
import { readSettings, type SettingNames, settingsOf, writeSettings } from './settings.js'

/** What distinguishes the requests of one model API from those of others. */
interface RequestFormat {
  readonly format: string
  /** Title of an imported prompt. */
  readonly title: string
  /** Names of our settings there. */
  readonly settings: SettingNames
  /** The properties that `write` and `read` take care of, which are not settings. */
  readonly own: readonly string[]
  write(messages: { role: string; content: string }[], prompt: PortablePrompt, lose: Lose): JsonObject
  read(body: JsonObject, lose: Lose): { messages: PromptMessage[]; responseSchema?: JsonObject | undefined }
}

/** The body of a request to a model: its messages beside its settings. */
export function requestFormat({
  format,
  title,
  settings,
  own,
  write,
  read,
}: RequestFormat): ExchangeFormat<JsonObject> {
  return {
    format,
    rendersVariables: true,
    write(prompt, lose) {
      const body = write(spoken(format, prompt, lose), prompt, lose)
      const values = writeSettings(prompt.settings, settings, lose)
      besideTheMessages(prompt, lose)
      return { ...values, ...body }
    },
    read(document, lose) {
      const body = documentOf(format, document) as JsonObject
      const { messages, responseSchema } = read(body, lose)
      const values = readSettings(body, settings, own, lose)
      return { title, messages, ...settingsOf(values), ...(responseSchema && { responseSchema }) }
    },
  }
}
