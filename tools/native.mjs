// @ts-check
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './packages.mjs'

/**
 * Gives a project that was installed without install scripts the native code that was compiled when the repository was
 * installed. Compiling it again takes minutes and would test nothing of ours.
 *
 * @param {string} project the folder
 */
export function reuseNativeCode(project) {
  const native = 'node_modules/better-sqlite3/build'
  if (existsSync(join(root, native)) && existsSync(join(project, 'node_modules/better-sqlite3'))) {
    cpSync(join(root, native), join(project, native), { recursive: true })
  }
}
