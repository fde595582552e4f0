import { protectedLabelsCollection } from './labels/protected-labels.js'
import { indexCollections } from './lookup/collections.js'

/** Everything the plugin stores besides minions and relations. */
export const promptCollections = [...indexCollections, protectedLabelsCollection] as const
