/** Durability of acknowledged writes on power failure. */
export type Synchronous = 'full' | 'normal' | 'off'
