import type { ArtifactProblem, TaskRoleType } from '@minions/colony-contracts'
import { isMinionsError, MinionsError } from '@minions/core'
import { copyJson, type JsonObject, type JsonValue } from '@minions/core/json'
import type { GateErrorCode, ModelMessage } from '@minions/core/plugin'
import { guarded } from '@minions/core/plugin'
import { describeIssues } from '@minions/core/schema'
import type { ModelOutput } from '@minions/workspace'
import { colonyError, messageOf } from '../../errors.js'
import { packPrompts } from '../deterministic/prompt-master.js'
import type { RoleContext, RoleInput, Roles } from '../role.js'
import { ROLE_READS } from '../role-contracts.js'
import { answerSchema, outputOf, pointerInAnswer } from './answer-schema.js'
import { readReply } from './reply.js'

/** A language model. It also receives the JSON Schema of the answer, for models that support one. */
export type RoleModel = (
  messages: readonly ModelMessage[],
  options: { readonly signal: AbortSignal; readonly schema: JsonObject; readonly maxTokens?: number },
) => ModelOutput | object | Promise<ModelOutput | object>

export interface ModelRolesOptions {
  /** Answers messages; by default the models of the app do, each role with the model configured for it. */
  readonly model?: RoleModel
  /** Maximum number of attempts per artifact, including the first; 3 by default. */
  readonly maxAttempts?: number
}

/**
 * Roles that a model plays. Each requests its artifact as structured output, checks it, and repeats the request with
 * the errors, a limited number of times; then the task fails with `MODEL_ANSWER_INVALID`. Prompt packages are rendered
 * from stored prompts and need no model.
 */
export const modelRoles = guarded('modelRoles', (options: ModelRolesOptions = {}): Roles => {
  const { model, maxAttempts = 3 } = options ?? {}
  if (model !== undefined && typeof model !== 'function')
    throw invalidOptions('takes as `model` a function that answers messages')
  if (!Number.isInteger(maxAttempts) || maxAttempts < 1) {
    throw invalidOptions('needs a whole number from 1 as `maxAttempts`')
  }
  const play =
    (role: TaskRoleType) =>
    async (input: unknown, context: RoleContext): Promise<never> =>
      (await askModel({ model, maxAttempts }, role, input as RoleInput, context)) as never
  return {
    planner: play('planner'),
    prompt_master: packPrompts,
    researcher: play('researcher'),
    librarian: play('librarian'),
    worker: play('worker'),
    aggregator: play('aggregator'),
    reviewer: play('reviewer'),
  }
})

function invalidOptions(what: string): Error {
  return new MinionsError('VALIDATION_FAILED', `\`modelRoles\` ${what}.`)
}

async function askModel(
  { model, maxAttempts }: { readonly model: RoleModel | undefined; readonly maxAttempts: number },
  role: TaskRoleType,
  input: RoleInput,
  context: RoleContext,
): Promise<unknown> {
  const schema = answerSchema(role)
  const messages: ModelMessage[] = [...opening(role, input, schema, await lookUp(input, context))]
  let errors: readonly ArtifactProblem[] = []
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const asked = [...messages]
    const query = asked.map(({ role, content }) => ({ role, content }))
    const said = await context.ask({ role, messages: query }, async () => {
      const { tokensLeft, signal } = context
      const limit = Number.isFinite(tokensLeft) && { maxTokens: tokensLeft }
      const answer = model ?? modelOfApp(role, context)
      const reply = await readReply(await answer(asked, { signal, schema, ...limit }), asked)
      return { ...reply, value: copyJson(reply.value) }
    })
    const { output, problems } = judge(role, said, context)
    if (problems.length === 0) return output
    errors = problems
    messages.push({ role: 'assistant', content: typeof said === 'string' ? said : JSON.stringify(said) })
    messages.push({ role: 'user', content: complaint(problems) })
  }
  const why = describeIssues(errors, 'it', 1)
  const message = `The model gave no usable answer as ${role} in ${maxAttempts} attempts: ${why}.`
  throw colonyError('MODEL_ANSWER_INVALID', message, { details: { role, errors } })
}

/** Budgets above this do not limit an answer; models refuse limits beyond their maximum output. */
const LONGEST_ANSWER = 4096

function modelOfApp(role: TaskRoleType, { models }: RoleContext): RoleModel {
  if (models === undefined) {
    const remedy = 'Add models() of @minions/models to the plugins, or pass modelRoles({ model })'
    throw colonyError('MODEL_MISSING', `No model can play the ${role}: the app has none. ${remedy}.`)
  }
  return (messages, { maxTokens, ...options }) =>
    models.ask({ messages, role, ...options, ...(maxTokens && maxTokens < LONGEST_ANSWER && { maxTokens }) })
}

function judge(role: TaskRoleType, said: JsonValue, context: RoleContext) {
  try {
    const output = outputOf(role, typeof said === 'string' ? parseJson(said) : said)
    const problems = context.problems(output)
    return {
      output,
      problems: problems.map((each) => ({ ...each, pointer: pointerInAnswer(role, output, each.pointer) })),
    }
  } catch (error) {
    if (!(error instanceof SyntaxError) && !colonyError.is(error, 'ROLE_OUTPUT_INVALID')) throw error
    const code = error instanceof SyntaxError ? ('BAD_JSON' as const) : ('INVALID' as const)
    return { output: undefined, problems: [{ pointer: '', code, message: messageOf(error) }] }
  }
}

/** Models often put JSON into a fenced block, with text before and after it. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const begin = /```(?:json)?[ \t]*\r?\n/i.exec(text)
    const end = text.lastIndexOf('```')
    if (begin === null || end < begin.index + begin[0].length) throw error
    return JSON.parse(text.slice(begin.index + begin[0].length, end))
  }
}

function* opening(role: TaskRoleType, input: RoleInput, schema: JsonObject, found: JsonValue): Generator<ModelMessage> {
  const prompt = input.package
  const { envelope, task } = input
  yield {
    role: 'system',
    content: prompt?.system_prompt ?? `You are the ${role.replaceAll('_', ' ')} of a mission.`,
  }
  const read = Object.fromEntries(ROLE_READS[role].map((name) => [name, input.read(name as never)]))
  const material = {
    mission: { goal: envelope.normalized_goal, context_refs: envelope.context_refs ?? {} },
    ...(task && { task }),
    ...(role !== 'worker' && input.graph && { graph: input.graph.tasks }),
    artifacts: read,
    found,
  }
  const parts = [
    prompt?.task_prompt ?? envelope.normalized_goal,
    `Material:\n${JSON.stringify(material)}`,
    `Answer with one JSON value that matches this schema, and nothing else:\n${JSON.stringify(schema)}`,
  ]
  yield { role: 'user', content: parts.join('\n\n') }
}

/** Runs the queries that librarian passes recommend, as far as tools and policy allow. */
async function lookUp(input: RoleInput, context: RoleContext): Promise<JsonValue> {
  const found: JsonObject[] = []
  for (const { tool, query } of input.passes.flatMap(({ recommended_queries = [] }) => recommended_queries)) {
    if (!context.hasTool(tool)) continue
    try {
      found.push({ tool, query, answer: await context.tool(tool, { query }) })
    } catch (error) {
      if (!isMinionsError<GateErrorCode>(error, 'POLICY_DENIED')) throw error
      found.push({ tool, query, denied: messageOf(error) })
    }
  }
  return found
}

function complaint(problems: readonly ArtifactProblem[]): string {
  const lines = problems.slice(0, 20).map(({ pointer, message }) => `- ${pointer || 'the answer'}: ${message}`)
  return `That does not match the schema:\n${lines.join('\n')}\nAnswer again with the whole corrected JSON value, and nothing else.`
}
