import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { hidePassword } from './schemes.js'

/** A storage URL that names a file or folder, such as `sqlite:./minions.db?synchronous=normal`. */
export interface FileUrl {
  /** In lower case, without its colon. */
  readonly scheme: FileScheme
  /** Decoded, and relative or absolute as it was written. */
  readonly path: string
  /** Everything after the `?`, or an empty text. */
  readonly query: string
}

/** The schemes of file URLs, with the path of a URL that has none. */
const DEFAULT_PATHS = { sqlite: 'minions.db', fs: 'minions' } as const

export type FileScheme = keyof typeof DEFAULT_PATHS

/**
 * Reads a file URL; `undefined` for any other kind. Throws `VALIDATION_FAILED` for a host, as in `sqlite://./x.db`: URL
 * syntax makes `.` the host and `/x.db` the path there, which no one who writes it means.
 */
export const parseFileUrl = guarded('parseFileUrl', parseFileUrlUnchecked)

function parseFileUrlUnchecked(url: string): FileUrl | undefined {
  const [, name = '', rest = '', query = ''] = /^(sqlite|fs):([^?]*)(?:\?(.*))?$/is.exec(url) ?? []
  if (name === '') return undefined
  const scheme = name.toLowerCase() as FileScheme
  const [, host = '', below = ''] = /^\/\/([^/]*)(.*)$/s.exec(rest) ?? [null, '', rest]
  if (host !== '') throw withHost(url, { scheme, host, path: below, query })
  return { scheme, path: below === '' ? DEFAULT_PATHS[scheme] : decode(below), query }
}

/** A file URL whose path went through `resolve`; any other URL, and a store in memory, as it is. */
export const resolveFileUrl = guarded('resolveFileUrl', resolveFileUrlUnchecked)

function resolveFileUrlUnchecked(url: string, resolve: (path: string) => string): string {
  const parsed = parseFileUrl(url)
  if (!parsed || parsed.path === ':memory:') return url
  const path = encodeURI(resolve(parsed.path)).replaceAll('?', '%3F')
  return `${parsed.scheme}:${path}${parsed.query && `?${parsed.query}`}`
}

function withHost(url: string, { scheme, host, path, query }: FileUrl & { readonly host: string }): Error {
  const isServer = host === 'localhost' || host.includes('@')
  const spelling = `${scheme}:${isServer ? '' : host}${path}${query && `?${query}`}`
  return coreError(
    'VALIDATION_FAILED',
    `The storage URL "${hidePassword(url)}" has a host, "${host.replace(/^.*@/, '')}"; for a path write "${spelling}".`,
    { details: { url: hidePassword(url), spelling } },
  )
}

/** A `%` that stands for itself is written as `%25`. */
function decode(path: string): string {
  try {
    const decoded = decodeURIComponent(path)
    if (!decoded.includes('\0')) return decoded
  } catch {
    // Answered below.
  }
  throw coreError('VALIDATION_FAILED', `"${path}" is not a path in a storage URL; write "%" in it as "%25".`, {
    details: { path },
  })
}
