import type { MissionProgress } from './mission-status.js'

type Listener = (progress: MissionProgress) => void

/** Watchers of missions that run in this process. */
export class Watchers {
  readonly #listeners = new Map<string, Set<Listener>>()

  has(missionId: string): boolean {
    return this.#listeners.has(missionId)
  }

  emit(progress: MissionProgress): void {
    for (const listener of this.#listeners.get(progress.mission_id) ?? []) listener(progress)
  }

  on(missionId: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(missionId) ?? new Set()
    listeners.add(listener)
    this.#listeners.set(missionId, listeners)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(missionId)
    }
  }
}
