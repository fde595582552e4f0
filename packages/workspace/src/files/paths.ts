import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { quote } from '@minions/core'
import { workspaceError } from '../errors.js'

/** No system takes longer ones. */
const LONGEST_PATH = 100_000

/** An absolute path; a leading `~` is the home directory of the user. */
export function resolvePath(path: string): string {
  if (typeof path !== 'string' || path === '' || path.length > LONGEST_PATH || path.includes('\0')) {
    throw workspaceError('VALIDATION_FAILED', 'A path must be a non-empty string without U+0000.', {
      details: { path: quote(path) },
    })
  }
  if (path === '~') return homedir()
  if (path.startsWith('~/') || path.startsWith('~\\')) return join(homedir(), path.slice(2))
  return resolve(path)
}

/** A timestamp as part of a file name, where colons are not allowed everywhere. */
export function fileTime(time: string): string {
  return time.replaceAll(/[:.]/g, '-')
}
