import type { JsonObject } from '@minions/core/json'
import { guarded } from '@minions/core/plugin'
import type { Subagent } from './subagent-schema.js'

/** On whose behalf a subagent runs, and in which tenant, mission and task, as a policy sees it. */
export type Origin = Readonly<Record<keyof typeof NAMES, string | undefined>>

/** The metadata keys of these facts. */
const NAMES = {
  by: 'by',
  tenant: 'tenant_id',
  mission: 'mission_id',
  task: 'task_id',
  role: 'role_type',
  sensitivity: 'sensitivity_class',
} as const

/** The metadata key that names the waiting subagent. */
const PARENT_NAME = 'parent_agent_id'

/** Reserved metadata keys, which the runtime sets and callers cannot. */
export const RESERVED_NAMES = [...Object.values(NAMES), 'job_id', PARENT_NAME, 'agent_depth'] as const

type Metadata = Subagent['metadata'] | undefined

export function originOf(metadata: Metadata): Origin {
  const told = Object.entries(NAMES).map(([fact, name]) => [fact, textIn(metadata, name)] as const)
  return Object.fromEntries(told) as Origin
}

/** The subagent that waits for this one, if there is one. */
export function parentOf(metadata: Metadata): string | undefined {
  return textIn(metadata, PARENT_NAME)
}

/** The metadata with which one subagent creates another: it acts on behalf of the same person, in the same context. */
export const inheritedMetadata = guarded('inheritedMetadata', (parentId: string, metadata: Metadata): JsonObject => {
  const inherited = Object.values(NAMES).flatMap((name) => {
    const value = textIn(metadata, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(inherited), [PARENT_NAME]: parentId }
})

function textIn(metadata: Metadata, name: string): string | undefined {
  const value = metadata?.[name]
  return typeof value === 'string' ? value : undefined
}
