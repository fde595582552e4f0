import { protectedLabelsCollection } from './labels/protected-labels.js'
import { indexCollections } from './lookup/collections.js'

/** The collections of the plugin besides minions and relations. */
export const promptCollections = [...indexCollections, protectedLabelsCollection] as const
