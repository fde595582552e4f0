// @ts-check
// Builds what the current folder holds: `npm run build`, in a package that package and those it needs, at the root all.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { argv, cwd } from 'node:process'
import { listFiles, listPackages, root } from './packages.mjs'

// The compiler leaves the output of a deleted source behind, and it would be published.
for (const { folder } of listPackages().filter((pkg) => !relative(cwd(), pkg.folder).startsWith('..'))) {
  for (const file of listFiles(join(folder, 'dist'))) {
    const source = /^(.*?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(file)?.[1]
    if (source !== undefined && !existsSync(join(folder, 'src', `${source}.ts`))) rmSync(join(folder, 'dist', file))
  }
}

const { status } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-b', ...argv.slice(2)], { stdio: 'inherit' })
process.exitCode = status ?? 1
