import { sleep } from '@minions/core/coordination'

export function times<T>(count: number, create: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => create(index))
}

/** Gives others a chance to run in between. */
export function pause(): Promise<void> {
  return sleep(1)
}
