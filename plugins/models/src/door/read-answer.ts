import type { LanguageModelV4Content, LanguageModelV4Message } from '@ai-sdk/provider'
import { isRecord } from '@minions/core/json'
import { FINISH_REASONS, type FinishReason, type ModelAnswer, type ToolCall } from './call.js'
import { answerCut, type RawAnswer } from './call-model.js'
import type { Redactor } from './redactor.js'

type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number]

/** Text, tool calls and message of an answer; keys that a provider echoes are redacted. */
export function readAnswer(
  { content, finishReason }: RawAnswer,
  redactor: Redactor,
): Pick<ModelAnswer, 'text' | 'toolCalls' | 'finish' | 'message'> {
  const clean = (text: string) => redactor.known(storable(text))
  const calls = new Map<string, ToolCall>()
  const parts: AssistantPart[] = []
  let text = ''
  for (const part of content) {
    const more = part.type !== 'file' && redactor.json(metadataOf(part), 'known')
    if (part.type === 'text') {
      text += clean(part.text)
      if (part.text !== '') parts.push({ type: 'text', text: clean(part.text), ...more })
    } else if (part.type === 'reasoning') {
      parts.push({ type: 'reasoning', text: clean(part.text), ...more })
    } else if (part.type === 'tool-call' && !part.providerExecuted) {
      const call = {
        id: freeId(calls, clean(String(part.toolCallId))),
        name: clean(part.toolName),
        input: clean(part.input),
      }
      calls.set(call.id, call)
      parts.push({ type: 'tool-call', toolCallId: call.id, toolName: call.name, input: inputOf(call.input), ...more })
    }
  }
  const finish = finishOf(finishReason?.unified, calls.size)
  if (finish === 'other' && text === '' && calls.size === 0) throw answerCut()
  return { text, toolCalls: [...calls.values()], finish, message: { role: 'assistant', content: parts } }
}

/** Parses the tool input that a model wrote; undefined unless it is a JSON object. */
export function parseInput(input: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(input.trim() === '' ? '{}' : input)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Providers take only objects as the input of an earlier call. */
function inputOf(input: string) {
  return parseInput(input) ?? {}
}

/** A model may use an id twice, or none, which would make results ambiguous. */
function freeId(calls: ReadonlyMap<string, ToolCall>, given: string): string {
  const id = given === '' ? 'call' : given.slice(0, 100).toWellFormed()
  for (let attempt = 1; ; attempt++) {
    const free = attempt === 1 ? id : `${id}_${attempt}`
    if (!calls.has(free)) return free
  }
}

function finishOf(unified: string | undefined, calls: number): FinishReason {
  if (calls > 0) return 'tool-calls'
  const known = FINISH_REASONS.find((reason) => reason === unified)
  return known === undefined || known === 'tool-calls' ? 'other' : known
}

function metadataOf(part: Exclude<LanguageModelV4Content, { type: 'file' }>) {
  const metadata = 'providerMetadata' in part ? part.providerMetadata : undefined
  return metadata && { providerOptions: metadata }
}

/** A truncated text may end in half a character, which no store can keep. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}
