import { generateId, readMillis } from '@minions/core'
import { messageOf } from '../errors.js'
import { type Driver, type MissionRun, missionRunsCollection } from '../state/collections.js'
import type { LiveMission } from './live-mission.js'
import type { MissionServices } from './services.js'

/** How often a lease is renewed, or looked at, while it lasts. */
const LOOKS = 4

interface ClaimOptions {
  /** Whether a mission that ended badly is opened again. */
  readonly retryFailed: boolean
  /** A driver that is known to be gone. */
  readonly stale?: Driver | null
}

/** The mark of a process that takes a mission. */
export function newDriver({ clock, leaseMs }: Pick<MissionServices, 'clock' | 'leaseMs'>): Driver {
  return { token: generateId(), expires_at: Math.ceil(readMillis(clock) + leaseMs), beat: 0 }
}

/**
 * Takes a mission, so that one process at a time runs it. Waits while another one does; `taken` is false when the
 * mission has ended. A lease that was watched for its whole duration and not renewed has run out, even if the clocks of
 * two machines differ.
 */
export async function awaitLease(
  services: MissionServices,
  missionId: string,
  options: ClaimOptions,
  pause: (milliseconds: number) => Promise<void>,
): Promise<{ readonly run: MissionRun; readonly taken: boolean }> {
  const { timers, leaseMs } = services
  let { stale } = options
  let since = timers.now()
  let seen: Driver | null = null
  for (;;) {
    const claim = await claimMission(services, missionId, { ...options, ...(stale && { stale }) })
    if (claim.taken || claim.run.status !== 'running') return claim
    const { driver } = claim.run
    if (!isSame(driver, seen)) since = timers.now()
    seen = driver
    await pause(leaseMs / LOOKS)
    if (timers.now() - since >= leaseMs) stale = seen
  }
}

function claimMission(services: MissionServices, missionId: string, { retryFailed, stale = null }: ClaimOptions) {
  return services.storage.transaction(async (tx) => {
    const run = (await tx.get(missionRunsCollection, missionId)) as MissionRun
    const { driver, status } = run
    const isFree = !isDriven(run, services) || isSame(driver, stale)
    const mayRun = status === 'running' ? isFree : retryFailed && status !== 'completed'
    if (!mayRun) return { run, taken: false }
    const next: MissionRun = { ...run, status: 'running', ended_at: null, error: null, driver: newDriver(services) }
    await tx.put(missionRunsCollection, next)
    return { run: next, taken: true }
  })
}

/** Whether a process runs a mission, as far as its lease says. */
export function isDriven({ status, driver }: MissionRun, { clock }: Pick<MissionServices, 'clock'>): boolean {
  return status === 'running' && driver !== null && driver.expires_at > readMillis(clock)
}

/**
 * Renews the lease of a mission that runs here, also while it comes to its end, until the returned function is called, and notices what other processes
 * did to it: the mission is stopped when one has ended it, and interrupted when one has taken it over.
 */
export function keepLease(services: MissionServices, mission: LiveMission): () => void {
  const { timers, leaseMs, log } = services
  let isKept = true
  let cancel = () => {}
  const plan = () => {
    if (isKept && !mission.interrupted) cancel = timers.set(leaseMs / LOOKS, tick, { background: true })
  }
  const tick = () => {
    if (mission.interrupted) return
    renew(services, mission, leaseMs)
      .catch((error: unknown) => {
        log.warn('the lease of a mission could not be renewed', { mission_id: mission.id, error: messageOf(error) })
      })
      .finally(plan)
  }
  plan()
  return () => {
    isKept = false
    cancel()
  }
}

/** Lets another process take the mission at once; what still runs here may be finished. */
export function giveUpLease(services: MissionServices, mission: LiveMission): Promise<void> {
  return renew(services, mission, 0)
}

async function renew({ storage, clock }: MissionServices, mission: LiveMission, leaseMs: number): Promise<void> {
  const run = await storage.transaction(async (tx) => {
    const known = await tx.get(missionRunsCollection, mission.id)
    const { driver } = mission.run
    if (known?.status !== 'running' || driver === null || known.driver?.token !== driver.token) return known
    const expires_at = Math.ceil(readMillis(clock) + leaseMs)
    const beat = known.driver.beat + 1
    const next: MissionRun = { ...known, elapsed_ms: mission.elapsedMs, driver: { ...driver, expires_at, beat } }
    await tx.put(missionRunsCollection, next)
    return next
  })
  // The mission may have ended here meanwhile.
  if (run === undefined || mission.run.status !== 'running') return
  if (run.status !== 'running') mission.stop({ status: run.status, error: run.error })
  else if (run.driver?.token === mission.run.driver?.token) mission.run = run
  else mission.interrupt()
}

function isSame(driver: Driver | null, other: Driver | null): boolean {
  return driver?.token === other?.token && driver?.beat === other?.beat
}
