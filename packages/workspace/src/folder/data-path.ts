import { workspaceError } from '../errors.js'

const MAX_NAME_BYTES = 255
const MAX_PATH_BYTES = 1024
/** Names that are devices on Windows, whatever their extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i

/**
 * Splits a path below `data/` into names, or throws `PATH_REFUSED`. An accepted path denotes the same file on every
 * system: no absolute paths, no `..`, no devices, nothing that Windows would strip or read as a stream.
 */
export function dataPathNames(path: string): string[] {
  if (typeof path !== 'string' || path === '') throw refused(path, 'empty', 'is empty')
  if (!path.isWellFormed()) throw refused(path, 'characters', 'contains a lone surrogate')
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw refused(path, 'too-long', `is longer than ${MAX_PATH_BYTES} bytes`)
  if (/^[A-Za-z]:/.test(path) || /^[/\\~]/.test(path)) throw refused(path, 'absolute', 'is not relative')
  const names = path.split('/')
  for (const name of names) checkName(path, name)
  return names
}

function checkName(path: string, name: string): void {
  if (name === '..') throw refused(path, 'parent', 'contains ".."')
  if (name === '' || name === '.') throw refused(path, 'empty', 'contains an empty name')
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw refused(path, 'too-long', `has a name over ${MAX_NAME_BYTES} bytes`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose
  if (/[\u0000-\u001f\u007f\\:*?"<>|]/.test(name)) throw refused(path, 'characters', 'contains a forbidden character')
  if (/[. ]$/.test(name)) throw refused(path, 'characters', 'has a name that ends with a dot or a space')
  if (DEVICE.test(name)) throw refused(path, 'device', 'names a device')
}

/** The error for a refused path; `reason` is stable and part of `details`. */
export function refused(path: unknown, reason: string, message: string): Error {
  const shown = JSON.stringify(String(path).slice(0, 100))
  return workspaceError('PATH_REFUSED', `The path ${shown} ${message}. Use a relative path below data/.`, {
    details: { path: String(path).slice(0, 1000), reason },
  })
}
