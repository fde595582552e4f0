import { isMinionsError } from '@minions/core'
import { operationRef, pageOf } from '@minions/core/operations'
import type { Prompt, PromptArgument } from '@modelcontextprotocol/server'
import { type Static, Type } from 'typebox'
import type { PromptProvider } from '../door/features.js'
import type { McpCall } from '../door/mcp-call.js'
import { mcpError } from '../errors.js'

/** A prompt as `prompts.list` gives it. */
const PublishedPrompt = Type.Object({
  id: Type.String(),
  title: Type.String(),
  name: Type.Union([Type.String(), Type.Null()]),
  description: Type.Optional(Type.String()),
})
type PublishedPrompt = Static<typeof PublishedPrompt>

const Variable = Type.Object({ title: Type.String(), fields: Type.Record(Type.String(), Type.Unknown()) })
type Variable = Static<typeof Variable>

const listPrompts = operationRef('prompts.list', pageOf(PublishedPrompt))
const getPrompt = operationRef('prompts.get', PublishedPrompt)
const renderPrompt = operationRef('prompts.render', Type.Object({ text: Type.String() }))
const listVariables = operationRef('prompts.listVariables', Type.Array(Variable))

/** Prompts on a page; of each its variables are read. */
const PAGE = 50

/** Published prompts, with their variables as arguments. */
export const publishedPrompts: PromptProvider = {
  async list(call, cursor) {
    if (!call.may(listPrompts.name)) return { items: [] }
    const page = await call.run(listPrompts, { limit: PAGE, ...(cursor !== undefined && { cursor }) })
    const items = await Promise.all(page.items.map((prompt) => describe(prompt, call)))
    return { items, nextCursor: page.nextCursor }
  },
  async get(name, given, call) {
    if (!call.may(renderPrompt.name)) return undefined
    const prompt = await call.run(getPrompt, { prompt: name })
    const declared = await variablesOf(prompt.id, call)
    const variables = Object.fromEntries(
      Object.entries(given).map(([variable, text]) => [
        variable,
        argumentValue(declared.get(variable), variable, text),
      ]),
    )
    const { text } = await call.run(renderPrompt, { prompt: prompt.id, variables })
    return {
      ...(prompt.description && { description: prompt.description }),
      messages: [{ role: 'user', content: { type: 'text', text } }],
    }
  },
  async complete(name, argument, value, call) {
    if (!call.may(listVariables.name)) return undefined
    const variable = (await variablesOf(name, call)).get(argument)
    const { example, defaultValue, variableType } = variable?.fields ?? {}
    const known = variableType === 'boolean' ? ['true', 'false'] : [defaultValue, example]
    return [...new Set(known)].filter((each): each is string => typeof each === 'string' && each.startsWith(value))
  },
}

async function describe({ id, title, name, description }: PublishedPrompt, call: McpCall): Promise<Prompt> {
  const declared = await variablesOf(id, call)
  const described = [...declared.values()].map(
    ({ title: variable, fields }): PromptArgument => ({
      name: variable,
      ...(typeof fields.description === 'string' && { description: fields.description }),
      required: fields.required === true,
    }),
  )
  const others = (await undeclaredVariables(id, call)).filter((variable) => !declared.has(variable))
  return {
    name: name ?? id,
    title,
    ...(description && { description }),
    arguments: [...described, ...others.map((variable) => ({ name: variable, required: true }))],
  }
}

/** The declared variables of a prompt by name. */
async function variablesOf(prompt: string, call: McpCall): Promise<Map<string, Variable>> {
  const list = await call.run(listVariables, { prompt })
  return new Map(list.map((variable) => [variable.title, variable]))
}

/** Variables that the template needs: rendering it without any names all of them. */
async function undeclaredVariables(prompt: string, call: McpCall): Promise<readonly string[]> {
  try {
    await call.run('prompts.render', { prompt })
    return []
  } catch (error) {
    const missing = isMinionsError(error) ? error.details.missingVariables : undefined
    return Array.isArray(missing) ? missing.map(String) : []
  }
}

/** Arguments are strings on the wire; variables of other types are written as JSON. */
function argumentValue(variable: Variable | undefined, name: string, text: string): unknown {
  const type = variable?.fields.variableType ?? 'string'
  if (type === 'string') return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw mcpError(
      'VALIDATION_FAILED',
      `The argument "${name.slice(0, 100)}" must be a ${String(type)}, written as JSON.`,
    )
  }
}
