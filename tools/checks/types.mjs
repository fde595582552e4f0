// @ts-check
// Compiles the tests and type tests of all packages against the declarations that the build wrote: `npm run check:types`. One
// compiler reads what they share once; one for each package would read it again and again.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { commandFile, listPackages, root } from '../packages.mjs'
import { reportProblems } from '../report.mjs'

const configurations = listPackages().flatMap(({ path }) =>
  ['tsconfig.test.json', 'tsconfig.web.json']
    .map((file) => join(path, file))
    .filter((file) => existsSync(join(root, file))),
)
const { status, stdout } = spawnSync(
  execPath,
  [commandFile('typescript', 'tsc'), '-b', '--pretty', 'false', ...configurations],
  { cwd: root, encoding: 'utf8' },
)
const problems = stdout.split('\n').filter((line) => line !== '')
if (status !== 0 && problems.length === 0) problems.push(`the compiler ended with ${status}`)
reportProblems('types', problems, `${configurations.length} projects compile`)
