import { type MissionEnvelope, MissionEnvelopeSchema, type TenantReader } from '@minions/colony-contracts'
import type { Page } from '@minions/core'
import type { StoreReader } from '@minions/core/storage'
import { type Static, Type } from 'typebox'
import { MISSION_STATUSES, type MissionRun, missionRunsCollection, nullableText } from '../state/collections.js'
import { artifact } from './mission-status.js'

/** Statuses of missions in a list; `not_started` if only the envelope is stored. */
export const LISTED_STATUSES = ['not_started', ...MISSION_STATUSES] as const

export const ListedMissionSchema = Type.Object({
  mission_id: MissionEnvelopeSchema.properties.mission_id,
  status: Type.Enum(LISTED_STATUSES, { description: '`not_started` if only the envelope is stored.' }),
  started_at: nullableText,
  ended_at: nullableText,
  error: nullableText,
  envelope: artifact<MissionEnvelope>(),
})

export type ListedMission = Readonly<Static<typeof ListedMissionSchema>>

export interface MissionListFilter {
  readonly status?: ListedMission['status']
  /** Maximum number of missions in a page; 100 by default. */
  readonly limit?: number
  /** `nextCursor` of the previous page. */
  readonly cursor?: string
}

/** A page of the missions of a tenant, the newest envelope first. */
export async function listMissions(
  storage: StoreReader,
  reader: TenantReader,
  { status, cursor, ...page }: MissionListFilter,
): Promise<Page<ListedMission>> {
  let from = cursor
  for (;;) {
    const { items: envelopes, nextCursor } = await reader.missions({
      ...page,
      direction: 'desc',
      ...(from !== undefined && { cursor: from }),
    })
    const runs = await storage.getMany(
      missionRunsCollection,
      envelopes.map(({ mission_id }) => mission_id),
    )
    const all = envelopes.map((envelope, index) => listed(envelope, runs[index]?.record))
    const items = all.filter((each) => status === undefined || each.status === status)
    if (items.length > 0 || nextCursor === undefined) return { items, nextCursor }
    from = nextCursor
  }
}

function listed(envelope: MissionEnvelope, run: MissionRun | undefined): ListedMission {
  const { status = 'not_started', started_at = null, ended_at = null, error = null } = run ?? {}
  return { mission_id: envelope.mission_id, status, started_at, ended_at, error, envelope }
}
