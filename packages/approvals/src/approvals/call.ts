import { createHash } from 'node:crypto'
import { canonicalJson, copyJson, type JsonObject, type JsonValue } from '@minions/core/json'
import { GUARDED_KINDS, type GuardedCall } from '@minions/core/plugin'
import { type Static, Type } from 'typebox'
import type { PolicyCall } from '../policy/rule.js'

export const nullableText = Type.Union([Type.String(), Type.Null()])

export const ApprovedCallSchema = Type.Object({
  kind: Type.Enum(GUARDED_KINDS),
  name: Type.String({ description: 'The tool, skill, data scope, kind of change or label.' }),
  version: nullableText,
  arguments: Type.Unsafe<JsonObject>({ type: 'object' }),
  arguments_hash: Type.String({ description: 'SHA-256 of the arguments as canonical JSON (RFC 8785), in hex.' }),
  mission_id: nullableText,
  task_id: nullableText,
  agent_id: nullableText,
  role: nullableText,
  sensitivity: nullableText,
  cost: Type.Union([Type.Number(), Type.Null()], {
    description: 'Expected cost; null if unknown. The approval covers no more than that.',
  }),
  use: Type.Union([Type.String(), Type.Null()], { description: 'Which use of the call, if there can be several.' }),
})
export type ApprovedCall = Static<typeof ApprovedCallSchema>

/** SHA-256 of a value as canonical JSON, in hex. */
export function hashJson(value: JsonValue): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}

/** A call as it is stored: a copy that no one else can change. */
export function toApprovedCall(call: GuardedCall): ApprovedCall {
  const copy = copyJson(call.arguments ?? {}, 'The arguments of a call')
  return {
    kind: call.kind,
    name: call.name,
    version: call.version ?? null,
    arguments: copy,
    arguments_hash: hashJson(copy),
    mission_id: call.mission ?? null,
    task_id: call.task ?? null,
    agent_id: call.agent ?? null,
    role: call.role ?? null,
    sensitivity: call.sensitivity ?? null,
    cost: call.cost !== undefined && Number.isFinite(call.cost) ? call.cost : null,
    use: call.use ?? null,
  }
}

/** The parts of a call that an approval is bound to, with their names in errors. */
const BOUND = {
  kind: 'the kind',
  name: 'the name',
  version: 'the version',
  arguments_hash: 'the arguments',
  mission_id: 'the mission',
  task_id: 'the task',
  agent_id: 'the agent',
  use: 'the use',
} as const satisfies Partial<Record<keyof ApprovedCall, string>>

/** The binding of an approval. For another person, or in another tenant, it is another call. */
export function bindingOf(call: ApprovedCall, by: string, tenant: string | null): string {
  const bound = Object.keys(BOUND).map((name) => [name, call[name as keyof typeof BOUND]] as const)
  return hashJson({ ...Object.fromEntries(bound), by, tenant })
}

export function differencesOf(approved: ApprovedCall, attempted: ApprovedCall): string[] {
  const differs: string[] = Object.entries(BOUND).flatMap(([name, label]) =>
    approved[name as keyof typeof BOUND] === attempted[name as keyof typeof BOUND] ? [] : [label],
  )
  // Not part of the binding, since a lower cost is covered too. An unknown cost may be higher.
  const isDearer = approved.cost !== null && (attempted.cost === null || attempted.cost > approved.cost)
  return isDearer ? [...differs, 'the cost'] : differs
}

/** What may be known about a call besides; null counts as absent. */
type Known = Pick<GuardedCall, 'version' | 'tenant' | 'role' | 'sensitivity' | 'cost'>

export function toPolicyCall(
  call: Pick<GuardedCall, 'kind' | 'name' | 'by' | 'arguments'> & {
    readonly [Name in keyof Known]: Known[Name] | null
  },
): PolicyCall {
  const { kind, name, by, version, tenant, role, sensitivity, cost } = call
  const optional = Object.entries({ version, tenant, role, sensitivity, cost }).filter(([, value]) => value != null)
  return { kind, name, by, arguments: call.arguments ?? {}, ...Object.fromEntries(optional) }
}
