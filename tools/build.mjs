// @ts-check
// Builds what the current folder holds: `npm run build`, in a package that package and those it needs, at the root all.
import { existsSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { argv, cwd } from 'node:process'
import { buildPages } from './build-pages.mjs'
import { bundlePackages } from './bundle/bundle.mjs'
import { compile } from './compile.mjs'
import { listFiles, listPackages } from './packages.mjs'

const packages = listPackages().filter((pkg) => !relative(cwd(), pkg.folder).startsWith('..'))

// The compiler leaves the output of a deleted source behind, and it would be published.
for (const { folder } of packages) {
  for (const file of listFiles(join(folder, 'dist')).filter((name) => !/^(?:web|bundle)[/\\]/.test(name))) {
    const source = /^(.*?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(file)?.[1]
    if (source !== undefined && !existsSync(join(folder, 'src', `${source}.ts`))) rmSync(join(folder, 'dist', file))
  }
}

const status = compile(argv.slice(2))
process.exitCode = status
// Also where a package has mistakes: the others were compiled, and Node must not load them as they were before.
await bundlePackages()
if (status === 0) await buildPages(packages)
