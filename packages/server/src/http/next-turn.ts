import { setImmediate } from 'node:timers'

let next: Promise<void> | undefined

/** Resolves when the event loop has read what has arrived. All that wait go on together, one step of each after another. */
export function nextTurn(): Promise<void> {
  next ??= new Promise((resolve) => {
    setImmediate(() => {
      next = undefined
      resolve()
    })
  })
  return next
}
