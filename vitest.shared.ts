import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultServerConditions, type Plugin } from 'vite'
// The compiler extends only a module that is imported.
import type {} from 'vitest'
import { defineConfig, type ViteUserConfig } from 'vitest/config'

declare module 'vitest' {
  interface TaskMeta {
    /** What a test or a suite cannot run without, and how to have it: the reason in the summary where it is skipped. */
    needs?: string
  }
}

// The task runner asks for colours, which programs that tests start would put into what is compared.
delete process.env.FORCE_COLOR

/** How many times as often as usual properties are tried. */
const fuzz = Math.max(1, Number(process.env.MINIONS_FUZZ ?? 1) || 1)

/** The test files to run, by their paths below the root, where `tools/test.mjs` runs only some. */
const only = process.env.MINIONS_TEST_FILES?.split(',')
  .map((file) => relative(process.cwd(), join(import.meta.dirname, file)))
  .filter((file) => !file.startsWith('..'))

/** Gives tests a fast-check with a seed, or fresh input while fuzzing; the conformance kit, which others use too, has its own. */
const seeded: Plugin = {
  name: 'seeded',
  enforce: 'pre',
  resolveId(id, importer = '') {
    if (id !== 'fast-check' || !/\/test\//.test(importer)) return null
    return fileURLToPath(new URL('./tools/fuzz/fast-check.ts', import.meta.url))
  },
}

/** Whether a module belongs to the tests of a package, or of the tools. */
const isOfTests = (file: string) =>
  /^(tools|(packages|plugins)[/\\][^/\\]+)[/\\]test[/\\]/.test(relative(import.meta.dirname, file))

/**
 * Gives each test file its own copy of the modules that tests share, with their hooks and their state, as if it were alone in its
 * process. What is tested is imported once for all files.
 */
export const ownSupport: Plugin = {
  name: 'own-support',
  enforce: 'pre',
  async resolveId(id, importer, options) {
    if (importer === undefined || !/^\.{1,2}\/[^?]*\.[cm]?[jt]s$/.test(id)) return null
    const [file = '', owner = file] = importer.replace(/\.of\.\w+$/, '').split('?of=')
    if (!isOfTests(file)) return null
    const resolved = await this.resolve(id, file, { ...options, skipSelf: true })
    if (resolved === null || resolved.external || !isOfTests(resolved.id)) return resolved
    // The end of a name tells the language of a module.
    return { ...resolved, id: `${resolved.id}?of=${owner}.of${extname(resolved.id)}` }
  },
}

/**
 * The vitest configuration every package uses. Tests run on `src` through the `@minions/source`
 * condition: vitest resolves with the server conditions, so `resolve.conditions` alone would test `dist`.
 */
export function vitestConfig(test: NonNullable<ViteUserConfig['test']> = {}): ViteUserConfig {
  return defineConfig({
    plugins: [seeded, ownSupport],
    ssr: { resolve: { conditions: ['@minions/source', ...defaultServerConditions] } },
    test: {
      include: only ?? ['test/**/*.test.ts'],
      reporters: ['default', 'json'],
      outputFile: { json: 'reports/tests.json' },
      // To import what is tested takes longer than most tests do.
      isolate: false,
      // For what hangs, not for what is slow: a loaded machine is twenty times as slow as an idle one.
      testTimeout: 60_000 * fuzz,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 30_000 } },
      coverage: { include: ['src/**/*.ts'], reporter: ['json-summary'] },
      ...test,
    },
  })
}
