// @ts-check
import { availableParallelism } from 'node:os'
import { env } from 'node:process'
import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import { keepTransformed, ownSupport } from '../vitest.shared.ts'

/** As in `vitest.shared.ts`. */
const only = env.MINIONS_TEST_FILES?.split(',').flatMap((file) => /^tools\/(.*)/.exec(file)?.[1] ?? [])

export default defineConfig({
  plugins: [keepTransformed, ownSupport],
  // The packages are tested on their sources, as in their own tests, so that nothing has to be built before.
  ssr: { resolve: { conditions: ['@minions/source', ...defaultServerConditions] } },
  test: {
    include: only ?? ['test/**/*.test.mjs'],
    reporters: ['default', 'json'],
    isolate: false,
    testTimeout: 60_000,
    // The task runner begins with what others depend on, so this suite is among the last, when processors have nothing else to do.
    maxWorkers: Math.max(2, availableParallelism() - 1),
  },
})
