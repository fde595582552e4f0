import { Queue } from '@minions/core'

const queues = new Map<string, { readonly queue: Queue; users: number }>()

/** The queue that all stores of this process on one file share, since only one of them can write at a time. */
export function acquireQueue(realPath: string): Queue {
  const entry = queues.get(realPath) ?? { queue: new Queue(), users: 0 }
  entry.users += 1
  queues.set(realPath, entry)
  return entry.queue
}

export function releaseQueue(realPath: string): void {
  const entry = queues.get(realPath)
  if (!entry) return
  entry.users -= 1
  if (entry.users === 0) queues.delete(realPath)
}
