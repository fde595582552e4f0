import { availableParallelism } from 'node:os'
import { vitestConfig } from '../../vitest.shared.ts'

// Many commands of a test are processes of their own, which take their time on a busy machine; the others run the built
// command in the process of the test, which therefore must load it as Node does.
export default vitestConfig({
  pool: 'forks',
  testTimeout: 180_000,
  // The task runner begins with what others depend on, so this suite is among the last, when processors have nothing else to do.
  maxWorkers: Math.max(2, availableParallelism() - 1),
})
