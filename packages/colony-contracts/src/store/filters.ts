import { MinionsError } from '@minions/core'
import type { CollectionQuery } from '@minions/core/storage'
import type { MissionEnvelope } from '../schemas/mission-envelope.js'
import type { ApplicationStatus } from '../writeback/writeback-application.js'

/** A page of a list, in the order of `created_at` as a string, then of the key. */
export interface PageOptions {
  /** Page size. Default: 100. */
  readonly limit?: number | undefined
  /** `nextCursor` of the previous page. */
  readonly cursor?: string | undefined
  /** `desc` for newest first. */
  readonly direction?: 'asc' | 'desc'
}

/** Selects artifacts of a kind; without a mission, those of all missions of the tenant. */
export interface ArtifactFilter extends PageOptions {
  readonly missionId?: string | undefined
  readonly taskId?: string | undefined
  readonly producer?: string
}

/** Selects missions; all conditions must hold. */
export interface MissionFilter extends PageOptions {
  readonly missionType?: string
  readonly originSurface?: string
  readonly actorId?: string
  readonly riskLevel?: MissionEnvelope['risk_level']
  readonly sensitivityClass?: string
  readonly producer?: string
}

/** Selects writeback applications, such as those that a crash left `applying`. */
export interface ApplicationFilter extends PageOptions {
  readonly missionId?: string
  readonly status?: ApplicationStatus
}

/** The conditions of each filter; a field has the same name in snake case. */
const CONDITIONS = {
  artifacts: ['missionId', 'taskId', 'producer'],
  missions: ['missionType', 'originSurface', 'actorId', 'riskLevel', 'sensitivityClass', 'producer'],
  applications: ['missionId', 'status'],
} as const satisfies Record<string, readonly string[]>

/** An unknown condition is refused: ignoring it would answer another query. */
export function toQuery(tenantId: string, kind: keyof typeof CONDITIONS, filter: PageOptions): CollectionQuery {
  const { limit, cursor, direction = 'asc', ...conditions } = filter
  const where: Record<string, string> = { tenant_id: tenantId }
  const known: readonly string[] = CONDITIONS[kind]
  for (const [name, value] of Object.entries(conditions) as [string, unknown][]) {
    if (value === undefined) continue
    if (!known.includes(name) || typeof value !== 'string') {
      const message = `This filter cannot be used: ${name} is not among ${known.join(', ')}, or not a string.`
      throw new MinionsError('INVALID_QUERY', message)
    }
    where[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] = value
  }
  return {
    where,
    orderBy: [{ field: 'created_at', direction }],
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
  }
}
