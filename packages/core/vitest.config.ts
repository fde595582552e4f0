import { vitestConfig } from '../../vitest.shared.ts'

// Core keeps no state outside of what a test creates, so its files can share the modules; to import them takes most of the time.
export default vitestConfig({ isolate: false })
