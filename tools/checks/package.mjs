// @ts-check
// Checks the package in the current folder as it would be published: `npm run check:package` inside a package.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cwd } from 'node:process'
import { pack } from '../pack.mjs'
import { readJson } from '../packages.mjs'
import { reportProblems } from '../report.mjs'
import { publishedProblems } from './published-package.mjs'

const scratch = mkdtempSync(join(tmpdir(), 'minions-package-'))
try {
  for (const packed of pack([cwd()], scratch)) {
    const problems = await publishedProblems(readJson('package.json'), packed)
    reportProblems('package', problems, `${packed.files.length} files are publishable`)
  }
} finally {
  rmSync(scratch, { recursive: true })
}
