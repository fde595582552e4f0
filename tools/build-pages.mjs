// @ts-check
// Bundles the web pages of packages into their `dist/web`; one whose sources have not changed is left as it is.
// `node tools/build-pages.mjs` builds all of them.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { listFiles, listPackages, root } from './packages.mjs'

/** @import { Package } from './packages.mjs' */

/** @param {Package[]} packages */
export async function buildPages(packages) {
  for (const { folder } of packages.filter((pkg) => existsSync(join(pkg.folder, 'vite.config.ts')))) {
    const digest = digestOf(folder)
    const stamp = join(folder, 'dist/web/.inputs')
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) continue
    // A build that has nothing to do must not wait for the bundler to load.
    const vite = await import('vite')
    await vite.build({ configFile: join(folder, 'vite.config.ts'), root: join(folder, 'web') })
    writeFileSync(stamp, digest)
  }
}

/**
 * What a page is made of: its sources, the client that is part of it, and the versions of everything else.
 *
 * @param {string} folder
 */
function digestOf(folder) {
  const hash = createHash('sha256')
  const inputs = [
    join(folder, 'web'),
    join(folder, 'vite.config.ts'),
    join(root, 'packages/client/src'),
    join(root, 'package-lock.json'),
  ]
  for (const input of inputs) {
    const files = statSync(input).isDirectory() ? listFiles(input).map((name) => join(input, name)) : [input]
    for (const file of files.filter((name) => statSync(name).isFile())) {
      hash.update(file.slice(root.length)).update('\0').update(readFileSync(file))
    }
  }
  return hash.digest('hex')
}

if (argv[1] === fileURLToPath(import.meta.url)) await buildPages(listPackages())
