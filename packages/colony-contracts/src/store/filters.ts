import { MinionsError } from '@minions/core'
import { getOwn } from '@minions/core/json'
import type { CollectionQuery } from '@minions/core/storage'
import type { MissionEnvelope } from '../schemas/mission-envelope.js'
import type { ApplicationStatus } from '../writeback/writeback-application.js'

/** A page of a list, in the order of `created_at` as a string, then of the key. */
export interface PageOptions {
  /** Page size. Default: 100. */
  readonly limit?: number
  /** `nextCursor` of the previous page. */
  readonly cursor?: string
  /** `desc` for newest first. */
  readonly direction?: 'asc' | 'desc'
}

/** Selects artifacts of a kind; without a mission, those of all missions of the tenant. */
export interface ArtifactFilter extends PageOptions {
  readonly missionId?: string
  readonly taskId?: string
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

const artifactFields = { missionId: 'mission_id', taskId: 'task_id', producer: 'producer' }
const missionFields = {
  missionType: 'mission_type',
  originSurface: 'origin_surface',
  actorId: 'actor_id',
  riskLevel: 'risk_level',
  sensitivityClass: 'sensitivity_class',
  producer: 'producer',
}
const applicationFields = { missionId: 'mission_id', status: 'status' }

export const filters = {
  artifacts: (tenantId: string, filter: ArtifactFilter) => toQuery(tenantId, filter, artifactFields),
  missions: (tenantId: string, filter: MissionFilter) => toQuery(tenantId, filter, missionFields),
  applications: (tenantId: string, filter: ApplicationFilter) => toQuery(tenantId, filter, applicationFields),
}

/** An unknown condition is refused: ignoring it would answer another query. */
function toQuery(tenantId: string, filter: PageOptions, fields: Readonly<Record<string, string>>): CollectionQuery {
  const { limit, cursor, direction = 'asc', ...conditions } = filter
  const where: Record<string, string> = { tenant_id: tenantId }
  for (const [name, value] of Object.entries(conditions) as [string, unknown][]) {
    if (value === undefined) continue
    const field = getOwn(fields, name)
    if (field === undefined || typeof value !== 'string') {
      const known = Object.keys(fields).join(', ')
      const message = `This filter cannot be used: ${name} is not among ${known}, or not a string.`
      throw new MinionsError('INVALID_QUERY', message)
    }
    where[field] = value
  }
  return {
    where,
    orderBy: [{ field: 'created_at', direction }],
    ...(limit !== undefined && { limit }),
    ...(cursor !== undefined && { cursor }),
  }
}
