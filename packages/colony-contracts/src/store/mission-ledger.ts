import { guardMethods } from '@minions/core/plugin'
import { contractsError } from '../errors.js'
import type { Artifact } from '../schemas/artifact.js'
import { missionsCollection } from './collections.js'
import { readIncoming } from './incoming.js'
import { loadMission, MissionState, type StoreParts } from './mission-state.js'
import { PutPlan, plannedArtifacts } from './put-plan.js'

/**
 * A mission that a process works on, with everything its rules need in memory. Adding to it takes one batch and no
 * reads; a batch is refused when another process has added something relevant, and `refresh` then reads it.
 */
export class MissionLedger {
  readonly missionId: string
  readonly #parts: StoreParts
  #state: MissionState

  constructor(state: MissionState, parts: StoreParts) {
    this.missionId = state.envelope.mission_id
    this.#state = state
    this.#parts = parts
  }

  /** Reads a mission; undefined if there is none. */
  static async load(missionId: string, parts: StoreParts): Promise<MissionLedger | undefined> {
    const state = await readState(missionId, parts)
    return state && new MissionLedger(state, parts)
  }

  /** The latest revision of the graph; 0 when there is none. */
  get graphRevision(): number {
    return this.#state.graphs.last
  }

  /**
   * Validates artifacts and plans how they are stored; `plan.addTo(batch)` adds the writes to a batch. Throws
   * `INVALID_ARTIFACT`, `LINKAGE_VIOLATION`, or `CONFLICT` for different content under an id that is taken.
   */
  async plan(artifacts: readonly (Artifact | Artifact<string>)[]): Promise<PutPlan> {
    const pointerOf = (index: number) => (artifacts.length > 1 ? `/${index}` : '')
    const incoming = readIncoming(artifacts, this.#parts, pointerOf)
    const plan = () => new PutPlan(this.#state, this.#parts.kinds, plannedArtifacts(incoming, this.#state.envelope))
    try {
      return plan()
    } catch (error) {
      if (!contractsError.is(error, 'LINKAGE_VIOLATION')) throw error
      // Its references may have been stored by another process.
      await this.refresh()
      return plan()
    }
  }

  async refresh(): Promise<void> {
    this.#state = (await readState(this.missionId, this.#parts)) ?? this.#state
  }
}

guardMethods(MissionLedger)

/** The revisions that everything else depends on are read first: any concurrent addition changes them. */
async function readState(missionId: string, { storage, kinds }: StoreParts): Promise<MissionState | undefined> {
  const stored = await storage.getRevised(missionsCollection, missionId)
  if (stored === undefined) return undefined
  const state = new MissionState(stored.record, stored.revision)
  await loadMission(storage, state, kinds)
  await state.graphs.loadAll(storage, missionId)
  return state
}
