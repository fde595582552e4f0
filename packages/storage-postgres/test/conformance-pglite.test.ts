import { storageConformance } from '@minions/storage-testkit'
import { onPglite } from './support/on-pglite.ts'

onPglite(storageConformance)
