// @ts-check
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './packages.mjs'

/**
 * The files that are in version control or could be: nothing that was built or installed.
 *
 * @returns {string[]} relative to the repository's root
 */
export function repositoryFiles() {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return files.split('\0').filter((file) => file !== '' && existsSync(join(root, file)))
}

/**
 * Copies the files of the repository.
 *
 * @param {string} destination
 */
export function copyRepository(destination) {
  for (const file of repositoryFiles()) {
    mkdirSync(dirname(join(destination, file)), { recursive: true })
    cpSync(join(root, file), join(destination, file))
  }
}
