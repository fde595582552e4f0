// @ts-check
// Runs tests of one package again and again, each time with another mutant in place of one of the sources. The files on the
// disk stay as they are. Started by `mutate.mjs`, which sends what to run and kills this process when that takes too long.
import { join } from 'node:path'
import { argv } from 'node:process'
import { createVitest } from 'vitest/node'

const { folder, tests, named } = JSON.parse(argv[2] ?? '{}')

/** @type {{ file: string, code: string } | undefined} */
let active
const plugin = {
  name: 'mutant',
  enforce: /** @type {const} */ ('pre'),
  transform: (/** @type {string} */ _, /** @type {string} */ id) => (id === active?.file ? active.code : null),
}
const vitest = await createVitest(
  'test',
  {
    root: folder,
    config: join(folder, 'vitest.config.ts'),
    watch: false,
    bail: 1,
    // A process that is used again would keep the modules of the last run.
    isolate: true,
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    reporters: [{ onInit() {} }],
    outputFile: {},
    // Modules are kept by the text of their files, which is not what runs.
    experimental: { fsModuleCache: false },
    ...(named && { testNamePattern: named }),
  },
  { plugins: [plugin] },
)
const specifications = await vitest.globTestSpecifications(tests)

process.on('message', async (/** @type {{ file: string, code: string } | undefined} */ mutant) => {
  const last = active?.file
  active = mutant?.file ? mutant : undefined
  for (const file of [last, active?.file]) if (file) vitest.invalidateFile(file)
  try {
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
    const ok = testModules.length > 0 && testModules.every((each) => each.ok()) && unhandledErrors.length === 0
    const failed = testModules.flatMap((each) => [...each.children.allTests('failed')].map(({ fullName }) => fullName))
    process.send?.({ killed: !ok, failed })
  } catch (error) {
    process.send?.({ killed: true, error: String(error) })
  }
})
process.send?.({ ready: specifications.length })
