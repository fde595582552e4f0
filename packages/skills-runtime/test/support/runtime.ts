import type { Store } from '@minions/core/storage'
import { afterEach } from 'vitest'
import { type Skill, SubagentManager, type SubagentManagerOptions } from '../../src/index.js'
import { VirtualClock } from '../../src/testing/index.js'
import type { Backend, Location } from './locations.js'

/** A manager under virtual time, and what it stands on. */
export interface Setup {
  readonly manager: SubagentManager
  readonly clock: VirtualClock
  readonly store: Store | undefined
  /** Another manager on the same store, as another process would have it. */
  another(skills?: readonly Skill[], options?: SubagentManagerOptions): Promise<SubagentManager>
}

const locations: Location[] = []
const managers: SubagentManager[] = []

afterEach(async () => {
  for (const manager of managers.splice(0)) await manager.shutdown(0)
  for (const location of locations.splice(0)) await location.dispose()
})

export async function setUp(
  backend: Backend,
  skills: readonly Skill[] = [],
  options: SubagentManagerOptions = {},
): Promise<Setup> {
  const clock = new VirtualClock('2025-12-19T10:05:00.000Z')
  const location = backend.location()
  if (location) locations.push(location)
  const open = async (more: readonly Skill[], given: SubagentManagerOptions) => {
    const storage = await location?.open()
    const manager = await SubagentManager.open({
      ...clock.parts,
      random: () => 0,
      ...(storage && { storage }),
      ...given,
    })
    manager.registry.registerAll(more)
    managers.push(manager)
    return { manager, storage }
  }
  const first = await open(skills, options)
  return {
    manager: first.manager,
    clock,
    store: first.storage,
    another: async (more = skills, given = options) => (await open(more, given)).manager,
  }
}

/** Matches an error with a code. */
export function coded(code: string, more: object = {}) {
  return { code, ...more }
}

/** A promise that the test settles. */
export function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}
