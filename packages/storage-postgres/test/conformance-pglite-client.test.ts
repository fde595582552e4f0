import { clientConformance } from '@minions/storage-testkit'
import { onPglite } from './support/on-pglite.ts'

onPglite(clientConformance)
