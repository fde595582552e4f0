import type { Page } from '@minions/core'
import { guardMethods, takeOptions } from '@minions/core/plugin'
import type { ReplayReport } from '../replay/replay-mission.js'
import type { ListedMission, MissionListFilter } from './list-missions.js'
import type { MissionRunner } from './mission-runner.js'
import type { MissionProgress, MissionResult } from './mission-status.js'
import type { ResumeMissionOptions } from './run-options.js'

/** The missions of one tenant; see `MissionRunner` for what each method does. */
export class TenantMissions {
  readonly tenantId: string
  readonly #runner: MissionRunner

  constructor(runner: MissionRunner, tenantId: string) {
    this.#runner = runner
    this.tenantId = tenantId
  }

  async list(filter: MissionListFilter = {}): Promise<Page<ListedMission>> {
    return this.#runner.list({ ...takeOptions('A filter for missions', filter), tenantId: this.tenantId })
  }

  async resume(missionId: string, options: ResumeMissionOptions = {}): Promise<MissionResult> {
    return this.#runner.resume(missionId, {
      ...takeOptions('The options of a mission', options),
      tenantId: this.tenantId,
    })
  }

  status(missionId: string): Promise<MissionProgress> {
    return this.#runner.status(missionId, this)
  }

  watch(missionId: string): AsyncIterableIterator<MissionProgress> {
    return this.#runner.watch(missionId, this)
  }

  pause(missionId: string): Promise<MissionProgress> {
    return this.#runner.pause(missionId, this)
  }

  cancel(missionId: string): Promise<MissionProgress> {
    return this.#runner.cancel(missionId, this)
  }

  replay(missionId: string): Promise<ReplayReport> {
    return this.#runner.replay(missionId, this)
  }

  toMermaid(missionId: string): Promise<string> {
    return this.#runner.toMermaid(missionId, this)
  }

  toText(missionId: string): Promise<string> {
    return this.#runner.toText(missionId, this)
  }
}

guardMethods(TenantMissions, { callsBack: true })
