// @ts-check
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/**
 * Packs a package as `npm publish` would.
 *
 * @param {string} folder of the package
 * @param {string} destination an existing folder
 * @returns {{ tarball: string, files: string[] }} the tarball's path, and the paths in it
 */
export function pack(folder, destination) {
  const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', destination], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [packed] = JSON.parse(output)
  return {
    tarball: join(destination, packed.filename),
    files: packed.files.map((/** @type {{ path: string }} */ file) => file.path),
  }
}
