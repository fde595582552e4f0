/** How hard SQLite tries to keep what it acknowledged when the power fails. */
export type Synchronous = 'full' | 'normal' | 'off'
