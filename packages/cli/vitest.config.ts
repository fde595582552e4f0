import { availableParallelism } from 'node:os'
import type { ViteUserConfig } from 'vitest/config'
import { vitestConfig } from '../../vitest.shared.ts'

// Many test commands are processes, which are slow on a busy machine; the others run in the test process, whose folder they set,
// which a thread cannot.
const config = vitestConfig({
  pool: 'forks',
  server: { deps: { external: [/dist.bundle/] } },
  testTimeout: 180_000,
  // The task runner begins with what others depend on, so this suite is among the last, when processors have nothing else to do.
  maxWorkers: Math.max(2, availableParallelism() - 1),
})

// The command is tested from its sources; the packages that it works with are loaded as Node loads them, which takes a fraction of
// the time, and proves that the commands work with what is published.
const withBuiltPackages: ViteUserConfig = { ...config, ssr: {} }
export default withBuiltPackages
