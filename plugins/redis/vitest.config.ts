import { vitestConfig } from '../../vitest.shared.ts'

// Connections of one file must not outlive it and meet the servers that the next one kills and restarts.
export default vitestConfig({ isolate: true })
