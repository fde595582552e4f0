import type { Store } from '@minions/core/storage'
import { afterEach } from 'vitest'
import { defineSkill, type Skill, SubagentManager } from '../../src/index.js'
import { JobQueue, type StoreExecutorOptions } from '../../src/jobs/index.js'
import { onSqlite, type SharedStore } from './clusters.js'

/** What is closed after each test, the last first. */
export const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** What one process has: a manager with skills, and jobs on a store that others have open too. */
export async function process(
  cluster: SharedStore,
  skills: readonly Skill[],
  options: Partial<StoreExecutorOptions> = {},
) {
  const store: Store = await cluster.open()
  const manager = await SubagentManager.open({ storage: store, leaseMs: 1000 })
  manager.registry.registerAll(skills)
  const executor = await cluster.join(options)
  const queue = new JobQueue({ executor, manager, store })
  closing.push(async () => {
    await queue.close(0)
    await manager.shutdown(0)
  })
  return { store, manager, queue }
}

export function cluster(options?: Partial<StoreExecutorOptions>) {
  const created = onSqlite(options)
  closing.push(() => created.close())
  return created
}

const parameters_schema = { type: 'object' } as const

export function skill(name: string, execute: NonNullable<Skill['execute']>, rest: object = {}): Skill {
  return defineSkill({ name, version: '1.0.0', parameters_schema, ...rest, execute } as never)
}

export function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open, opened }
}
