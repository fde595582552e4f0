import { Queue } from '@minions/core'

const queues = new Map<string, { readonly queue: Queue; users: number }>()

/** The queue that all stores of this process on one folder share: first come, first served, without polling the lock. */
export function acquireQueue(root: string): Queue {
  const entry = queues.get(root) ?? { queue: new Queue(), users: 0 }
  entry.users += 1
  queues.set(root, entry)
  return entry.queue
}

export function releaseQueue(root: string): void {
  const entry = queues.get(root)
  if (!entry) return
  entry.users -= 1
  if (entry.users === 0) queues.delete(root)
}
