// @ts-check
import { expect, test } from 'vitest'
import { filesOnPostgres } from '../ci/files-on-postgres.mjs'
import { scratchFolder } from './scratch.mjs'

test('the files that a PostgreSQL server makes a difference to are found', () => {
  // In two parts, or this file would be one of them.
  const variable = `MINIONS_TEST_${'POSTGRES'}_URL`
  const base = scratchFolder({
    'a/test/support/server.ts': `export const url = process.env.${variable}\nexport interface Database {}`,
    'a/test/support/between.ts': "export { url } from './server.js'",
    'a/test/support/child.mjs': "import './server.ts'",
    'a/test/reads.test.ts': `const url = process.env.${variable}`,
    'a/test/imports.test.ts': "import { url } from './support/between.ts'",
    'a/test/imports-later.test.ts': "await import('./imports.test.js')",
    'a/test/starts.test.ts': "const child = new URL('./support/child.mjs', import.meta.url)",
    'a/test/types.test.ts': "import type { Database } from './support/server.ts'",
    'a/test/mentions.test.ts': `const needs = 'a server: set ${variable}'`,
    'a/test/other.test.ts': "import { a } from '../src/index.ts'",
  })
  expect(filesOnPostgres('a', base)).toEqual(
    ['imports-later', 'imports', 'reads', 'starts'].map((name) => `a/test/${name}.test.ts`),
  )
})
