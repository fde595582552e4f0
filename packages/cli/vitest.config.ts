import { availableParallelism } from 'node:os'
import { vitestConfig } from '../../vitest.shared.ts'

// Many test commands are processes, which are slow on a busy machine; the others run the built command in the test
// process, which therefore must load it as Node does.
export default vitestConfig({
  pool: 'forks',
  testTimeout: 180_000,
  // The task runner begins with what others depend on, so this suite is among the last, when processors have nothing else to do.
  maxWorkers: Math.max(2, availableParallelism() - 1),
})
