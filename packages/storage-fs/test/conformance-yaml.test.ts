import { storageConformance } from '@minions/storage-testkit'
import { conformance } from './conformance.js'

// The client works on whatever stores records as the storage half demands; it works on files where they are JSON.
conformance('fs, YAML', { format: 'yaml' }, [storageConformance])
