import { useEffect, useState } from 'react'
import { describeError } from '../data/query-client.ts'
import { createStore, useStore } from '../data/store.ts'

/** Something that was done, and what undoes it. */
interface Toast {
  readonly id: number
  readonly text: string
  readonly kind: 'good' | 'bad'
  readonly undo?: (() => Promise<unknown>) | undefined
}

const toasts = createStore<readonly Toast[]>([])
let nextId = 1

/** Milliseconds that a message stays. */
const STAY = 12_000

/** Milliseconds that a message stays which can be undone: time to reach its button with the keyboard. */
const STAY_WITH_UNDO = 30_000

/** Tells the user that something was done. With `undo`, a button takes it back. */
export function tell(text: string, undo?: () => Promise<unknown>): void {
  toasts.set([...toasts.get(), { id: nextId++, text, kind: 'good', undo }])
}

export function tellFailure(text: string): void {
  toasts.set([...toasts.get(), { id: nextId++, text, kind: 'bad' }])
}

/** Does what the user asked for, and tells why if it fails. */
export async function orTell(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    tellFailure(describeError(error))
  }
}

function drop(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id))
}

export function Toasts() {
  const all = useStore(toasts)
  return (
    <div className="toasts" role="status" aria-live="polite">
      {all.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </div>
  )
}

function ToastLine({ toast }: { readonly toast: Toast }) {
  const { id, text, kind, undo } = toast
  const [isHeld, setHeld] = useState(false)
  const stay = undo ? STAY_WITH_UNDO : STAY
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => drop(id), stay)
    return () => clearTimeout(timer)
  }, [id, isHeld, stay])
  const takeBack = () => {
    drop(id)
    return orTell(async () => {
      await undo?.()
      tell('Undone.')
    })
  }
  return (
    <div className={`toast ${kind}`}>
      <span>{text}</span>
      {undo && (
        // The message does not go away from under the focus.
        <button type="button" onClick={takeBack} onFocus={() => setHeld(true)} onBlur={() => setHeld(false)}>
          Undo
        </button>
      )}
      <button type="button" className="icon" aria-label="Close" onClick={() => drop(id)}>
        <span aria-hidden="true">×</span>
      </button>
    </div>
  )
}
