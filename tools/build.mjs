// @ts-check
// Builds the package in the current folder: `npm run build` inside a package.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { argv, cwd } from 'node:process'
import { listFiles, root } from './packages.mjs'

// The compiler leaves the output of a deleted source behind, and it would be published.
for (const file of listFiles(join(cwd(), 'dist'))) {
  const source = /^(.*?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(file)?.[1]
  if (source !== undefined && !existsSync(join(cwd(), 'src', `${source}.ts`))) rmSync(join(cwd(), 'dist', file))
}

const { status } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-b', ...argv.slice(2)], { stdio: 'inherit' })
process.exitCode = status ?? 1
