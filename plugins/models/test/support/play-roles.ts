import { deterministicRoles, exampleMission } from '@minions/colony'
import type { JsonObject } from '@minions/core/json'
import type { FakeReply, FakeRequest } from '../../src/testing/index.js'

/** Plays the roles of the example: gives what the schema of a request asks for, with references from its material. */
export function playRoles({ body }: Pick<FakeRequest, 'body'>): FakeReply {
  return { text: JSON.stringify(answerTo(body)), usage: { prompt: 11, completion: 4 } }
}

function answerTo(body: JsonObject): object {
  const { response_format, messages } = body as unknown as {
    response_format: { json_schema: { schema: { properties: Record<string, unknown> } } }
    messages: readonly { content: string }[]
  }
  const { properties } = response_format.json_schema.schema
  const material = /Material:\n(.*)/.exec(messages[1]?.content ?? '')?.[1] ?? '{}'
  const { artifacts = {} } = JSON.parse(material) as { artifacts?: Record<string, readonly { result_id: string }[]> }
  const results = (artifacts.worker_result ?? []).map(({ result_id }) => result_id)
  if ('tasks' in properties) {
    return deterministicRoles().planner?.({ envelope: exampleMission.envelope } as never, {} as never) as object
  }
  if ('artifacts' in properties) return { artifacts: [] }
  if ('output_text' in properties) return { output_text: 'Call soon.', confidence: 0.9 }
  if ('summary' in properties) {
    return { summary: 'Two whales.', evidence_matrix: [{ claim: 'c', support_refs: results }], recommended_output: {} }
  }
  if ('review' in properties) return { review: { review_status: 'approved', approved_output: { summary: 'ok' } } }
  const required = (response_format.json_schema.schema as { required?: string[] }).required ?? []
  return Object.fromEntries(required.map((key) => [key, sample(properties[key] as JsonObject)]))
}

/** Something that fits a simple schema. */
function sample({ type }: JsonObject): unknown {
  if (type === 'array') return []
  if (type === 'object') return {}
  return type === 'number' || type === 'integer' ? 1 : 'x'
}
