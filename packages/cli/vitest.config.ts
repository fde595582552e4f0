import { vitestConfig } from '../../vitest.shared.ts'

// Every command of a test is a process of its own, which takes its time on a busy machine.
export default vitestConfig({ testTimeout: 180_000 })
