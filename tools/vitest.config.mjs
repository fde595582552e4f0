// @ts-check
import { defaultServerConditions } from 'vite'
import { defineConfig } from 'vitest/config'

// The task runner asks for colours, which programs that tests start would put into what is compared.
delete process.env.FORCE_COLOR

export default defineConfig({
  // The packages are tested on their sources, as in their own tests, so that nothing has to be built before.
  ssr: { resolve: { conditions: ['@minions/source', ...defaultServerConditions] } },
  test: {
    include: ['test/**/*.test.mjs'],
    reporters: ['default', 'json'],
    outputFile: { json: 'reports/tests.json' },
    testTimeout: 60_000,
  },
})
