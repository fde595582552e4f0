import { createStore } from '../../data/store.ts'

/** True if the command palette is open. */
export const isPaletteOpen = createStore(false)

export function openPalette(): void {
  isPaletteOpen.set(true)
}
