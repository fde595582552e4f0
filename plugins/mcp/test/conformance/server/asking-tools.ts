import {
  acceptedContent,
  inputRequired,
  inputResponse,
  MissingRequiredClientCapabilityError,
} from '@modelcontextprotocol/server'
import type { McpCall, ToolAnswer } from '../../../src/index.ts'
import { elicit, object, result, text } from './content.ts'
import { type FixtureTool, tool } from './plain-tools.ts'

const sample = (prompt: string, maxTokens = 100) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens,
  })

const named = { name: { type: 'string' } }

/** The answers of the person, in whichever round. */
const answers = ({ request }: McpCall) => (request.mcpReq.inputResponses ?? {}) as Readonly<Record<string, unknown>>

/** The content of an accepted form whose fields are all texts; undefined otherwise. */
function form(call: McpCall, key: string, ...fields: string[]) {
  const content = acceptedContent(answers(call), key)
  return content && fields.every((field) => content[field] !== undefined) ? content : undefined
}

function samplingText(call: McpCall, key: string): string | undefined {
  const view = inputResponse(answers(call), key)
  if (view.kind !== 'sampling') return undefined
  const [content] = [view.result.content].flat()
  return content?.type === 'text' ? content.text : undefined
}

function rootsIn(call: McpCall, key: string) {
  const view = inputResponse(answers(call), key)
  return view.kind === 'roots' ? view.roots : undefined
}

/** Tools that ask the person behind the client, or its model. */
export const askingTools: Readonly<Record<string, FixtureTool>> = {
  test_sampling: tool(
    ({ prompt = '' }, call) => {
      const said = samplingText(call, 'answer')
      if (said === undefined) return inputRequired({ inputRequests: { answer: sample(prompt) } })
      return result(text(`LLM response: ${said}`))
    },
    object({ prompt: { type: 'string' } }),
  ),
  test_elicitation: tool(
    ({ message = '' }, call) =>
      elicited(call, message, {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      }),
    object({ message: { type: 'string' } }),
  ),
  test_elicitation_sep1034_defaults: tool((_, call) =>
    elicited(
      call,
      'Check the defaults.',
      {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      },
      [],
    ),
  ),
  test_elicitation_sep1330_enums: tool((_, call) => {
    const titled = ['First', 'Second', 'Third'].map((title, index) => ({ const: `value${index + 1}`, title }))
    const options = ['option1', 'option2', 'option3']
    return elicited(
      call,
      'Choose.',
      {
        untitledSingle: { type: 'string', enum: options },
        titledSingle: { type: 'string', oneOf: titled },
        legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
        untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
        titledMulti: { type: 'array', items: { anyOf: titled } },
      },
      [],
    )
  }),
  test_input_required_result_elicitation: tool(askName),
  test_streaming_elicitation: tool(askName),
  test_input_required_result_sampling: tool((_, call) => {
    const said = samplingText(call, 'capital_question')
    if (said !== undefined) return result(text(said))
    return inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?') } })
  }),
  test_input_required_result_list_roots: tool((_, call) => {
    const roots = rootsIn(call, 'client_roots')
    if (!roots) return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
    return result(text(`Roots: ${roots.map(({ uri }) => uri).join(', ')}`))
  }),
  test_input_required_result_request_state: tool(async (_, call) => {
    const state = call.request.mcpReq.requestState<{ round: number }>()
    if (state?.round === 1 && form(call, 'confirm', 'ok')) return result(text('state-ok'))
    return inputRequired({
      inputRequests: { confirm: elicit('Please confirm', { ok: { type: 'boolean' } }) },
      requestState: await call.sealState({ round: 1 }),
    })
  }),
  test_input_required_result_multiple_inputs: tool(async (_, call) => {
    const name = form(call, 'user_name', 'name')?.name
    const said = samplingText(call, 'greeting')
    const roots = rootsIn(call, 'client_roots')
    if (name && said !== undefined && roots) return result(text(`${said} ${name}, ${roots.length} roots`))
    return inputRequired({
      inputRequests: {
        user_name: elicit('What is your name?', named),
        greeting: sample('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await call.sealState({ asked: 3 }),
    })
  }),
  test_input_required_result_multi_round: tool(async (_, call) => {
    const { round, name } = call.request.mcpReq.requestState<{ round: number; name?: string }>() ?? { round: 0 }
    const first = round === 1 ? form(call, 'step1', 'name')?.name : undefined
    if (round === 2) {
      const color = form(call, 'step2', 'color')?.color
      if (color !== undefined) return result(text(`${name} likes ${color}`))
    }
    if (first === undefined && round < 2) {
      return inputRequired({
        inputRequests: { step1: elicit('Step 1: What is your name?', named) },
        requestState: await call.sealState({ round: 1 }),
      })
    }
    return inputRequired({
      inputRequests: { step2: elicit('Step 2: What is your favorite color?', { color: { type: 'string' } }) },
      requestState: await call.sealState({ round: 2, name: first ?? name }),
    })
  }),
  test_input_required_result_tampered_state: tool(async (_, call) => {
    if (call.request.mcpReq.requestState() !== undefined) return result(text('state-ok'))
    return inputRequired({
      inputRequests: { confirm: elicit('Please confirm', { ok: { type: 'boolean' } }) },
      requestState: await call.sealState({ round: 1 }),
    })
  }),
  test_input_required_result_capabilities: tool((_, call) => {
    const { elicitation, sampling } = call.client
    if (Object.keys(answers(call)).length > 0) return result(text('Answered.'))
    return inputRequired({
      inputRequests: {
        ...(elicitation && { user_name: elicit('What is your name?', named) }),
        ...(sampling && { greeting: sample('Generate a greeting') }),
      },
    })
  }),
  test_missing_capability: tool((_, { client }) => {
    if (client.sampling) return result(text('The client can sample.'))
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
  }),
}

function askName(_: unknown, call: McpCall): ToolAnswer {
  const content = form(call, 'user_name', 'name')
  if (!content) return inputRequired({ inputRequests: { user_name: elicit('What is your name?', named) } })
  return result(text(`Hello, ${content.name}!`))
}

function elicited(call: McpCall, message: string, properties: object, required?: string[]): ToolAnswer {
  const view = inputResponse(answers(call), 'form')
  if (view.kind !== 'elicit') return inputRequired({ inputRequests: { form: elicit(message, properties, required) } })
  const what = required ? 'Elicitation completed' : 'User response'
  return result(text(`${what}: action=${view.action}, content=${JSON.stringify(view.content ?? {})}`))
}
