import { clientConformance, storageConformance } from '@minions/storage-testkit'
import { conformance } from './conformance.js'

conformance('fs, JSON', { format: 'json' }, [storageConformance, clientConformance])
