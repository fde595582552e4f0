import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { extname, join, relative, resolve } from 'node:path'
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

const root = import.meta.dirname

// The task runner asks for colours, which programs that tests start would put into what is compared.
delete process.env.FORCE_COLOR

/** How many times as often as usual properties are tried. */
const fuzz = Math.max(1, Number(process.env.MINIONS_FUZZ ?? 1) || 1)

/** The test files to run, by their paths below the root, where `tools/test.mjs` runs only some. */
const only = process.env.MINIONS_TEST_FILES?.split(',')
  .map((file) => relative(process.cwd(), join(root, file)))
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
const isOfTests = (file: string) => /^(tools|(packages|plugins)[/\\][^/\\]+)[/\\]test[/\\]/.test(relative(root, file))

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

const WEEK = 7 * 24 * 60 * 60 * 1000

/**
 * The folder for modules as vitest transformed them. Its name stands for everything that decides, beside their own text and this
 * configuration, what they become: what is installed, what our packages export, and how they are compiled. So nothing out of date
 * is ever used, and nothing that another run is using has to be removed. What no run used for a week goes.
 */
function folderForTransformed(): string {
  const all = join(root, 'node_modules/.cache/vitest')
  const packages = ['packages', 'plugins'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(group, name)),
  )
  const deciding = packages.sort().flatMap((folder) => [join(folder, 'package.json'), join(folder, 'tsconfig.json')])
  const hash = createHash('sha256')
  for (const file of ['node_modules/.package-lock.json', 'tsconfig.base.json', ...deciding]) {
    if (existsSync(join(root, file))) hash.update(`${file}\n`).update(readFileSync(join(root, file)))
  }
  const current = hash.digest('hex').slice(0, 16)
  for (const name of existsSync(all) ? readdirSync(all) : []) {
    const used = statSync(join(all, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (name !== current && Date.now() - used > WEEK) rmSync(join(all, name), { recursive: true, force: true })
  }
  return join(all, current)
}

/**
 * Keeps transformed modules for the next run, and for the other packages: they share most modules. What a module becomes depends on
 * the root, so that is the same for all; what belongs to a package still is in its folder.
 */
export const keepTransformed: Plugin = {
  name: 'keep-transformed',
  config(given) {
    const folder = resolve(given.root ?? '')
    const coverage = {
      include: [join(relative(root, folder), 'src/**/*.ts')],
      reportsDirectory: join(folder, 'coverage'),
    }
    return {
      root,
      cacheDir: join(folder, 'node_modules/.vite'),
      test: {
        dir: folder,
        coverage,
        outputFile: { json: join(folder, 'reports/tests.json') },
        experimental: { fsModuleCache: true, fsModuleCachePath: folderForTransformed() },
      },
    }
  },
}

/**
 * The vitest configuration every package uses. Tests run on `src` through the `@minions/source`
 * condition: vitest resolves with the server conditions, so `resolve.conditions` alone would test `dist`.
 */
export function vitestConfig(test: NonNullable<ViteUserConfig['test']> = {}): ViteUserConfig {
  return defineConfig({
    plugins: [keepTransformed, seeded, ownSupport],
    ssr: { resolve: { conditions: ['@minions/source', ...defaultServerConditions] } },
    test: {
      include: only ?? ['test/**/*.test.ts'],
      reporters: ['default', 'json'],
      // To import what is tested takes longer than most tests do.
      isolate: false,
      // The task runner runs other suites at the same time.
      ...(process.env.NX_TASK_TARGET_PROJECT === undefined && { maxWorkers: availableParallelism() }),
      // For what hangs, not for what is slow: a loaded machine is twenty times as slow as an idle one.
      testTimeout: 60_000 * fuzz,
      hookTimeout: 120_000,
      expect: { poll: { timeout: 30_000 } },
      coverage: { reporter: ['json-summary'] },
      ...test,
    },
  })
}
