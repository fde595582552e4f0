import { conformance } from './conformance.js'

conformance('fs, YAML', { format: 'yaml' })
