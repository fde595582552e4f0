import { conformance } from './conformance.js'

conformance('fs, JSON', { format: 'json' })
