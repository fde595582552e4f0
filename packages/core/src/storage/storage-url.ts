import { coreError } from '../errors/codes.js'
import { guarded } from '../errors/guard.js'
import { takeList } from '../errors/take.js'

/** A parsed storage URL: `postgres://host/app?schema=team`, or `sqlite:./minions.db`, which names a file. */
export interface StorageUrl {
  /** In lower case, without its colon. */
  readonly scheme: string
  /** Everything before the `?`, as it was written. */
  readonly base: string
  /** Everything after the `?`, or an empty string. */
  readonly query: string
  /** For a `sqlite:` or `fs:` URL: the file or folder, decoded, and relative or absolute as written. */
  readonly path: string | undefined
}

/** The settings a backend reads from its URL. */
export interface TakenUrl<Name extends string> extends StorageUrl {
  /** Parameters known to the backend. */
  readonly options: Partial<Record<Name, string>>
  /** Other parameters, for a driver; file URLs have none. */
  readonly others: URLSearchParams
}

/** The schemes whose URLs name a file or folder, with the default path of each. */
const DEFAULT_PATHS = new Map([
  ['sqlite', 'minions.db'],
  ['fs', 'minions'],
])

/**
 * Parses a storage URL; `undefined` for a string without a scheme. Throws `VALIDATION_FAILED` for a file URL with a
 * host, as in `sqlite://./x.db`: URL syntax makes `.` the host and `/x.db` the path, which is never what was meant.
 */
export const parseStorageUrl = guarded('parseStorageUrl', (url: string): StorageUrl | undefined => {
  const [, base = '', name = '', rest = '', query = ''] = /^(([a-z][a-z0-9+.-]*):([^?]*))(?:\?(.*))?$/is.exec(url) ?? []
  if (name === '') return undefined
  const scheme = name.toLowerCase()
  return { scheme, base, query, path: pathOf(url, scheme, rest, query) }
})

/** The URL of a backend, which must have one of its schemes and, if it names a file, only these parameters. */
export const takeStorageUrl = guarded(
  'takeStorageUrl',
  <const Name extends string>(url: string, schemes: readonly string[], names: readonly Name[]): TakenUrl<Name> => {
    const parsed = parseStorageUrl(url)
    if (!parsed || !schemes.includes(parsed.scheme)) {
      throw coreError('VALIDATION_FAILED', `"${hidePassword(url)}" is not a ${schemes[0]}: URL.`)
    }
    const others = new URLSearchParams(parsed.query)
    const options: Partial<Record<Name, string>> = {}
    for (const name of takeList('The names of parameters', names)) {
      const value = others.get(name)
      if (value !== null) options[name] = value
      others.delete(name)
    }
    const [unknown] = others.keys()
    if (parsed.path !== undefined && unknown !== undefined) {
      throw coreError(
        'VALIDATION_FAILED',
        `The storage URL "${hidePassword(url)}" has an unknown parameter, "${unknown}"; the known parameters are ${names.join(', ')}.`,
        { details: { url: hidePassword(url), parameter: unknown, known: names } },
      )
    }
    return { ...parsed, options, others }
  },
)

/** A file URL with its path passed through `resolve`; any other URL, and an in-memory store, unchanged. */
export const resolveStorageUrl = guarded(
  'resolveStorageUrl',
  (url: string, resolve: (path: string) => string): string => {
    const { scheme, path, query } = parseStorageUrl(url) ?? {}
    if (path === undefined || path === ':memory:') return url
    return `${scheme}:${encodeURI(resolve(path)).replaceAll('?', '%3F')}${query && `?${query}`}`
  },
)

/** URLs end up in messages and logs; passwords must not. */
export const hidePassword = guarded('hidePassword', (url: string): string =>
  url.replace(/(\/\/[^/?#:@]*):[^/?#]*@/, '$1:***@'),
)

function pathOf(url: string, scheme: string, rest: string, query: string): string | undefined {
  const defaultPath = DEFAULT_PATHS.get(scheme)
  if (defaultPath === undefined) return undefined
  const [, host = '', below = ''] = /^\/\/([^/]*)(.*)$/s.exec(rest) ?? [null, '', rest]
  if (host !== '') throw withHost(url, host, `${scheme}:${isServer(host) ? '' : host}${below}${query && `?${query}`}`)
  return below === '' ? defaultPath : decode(below)
}

function isServer(host: string): boolean {
  return host === 'localhost' || host.includes('@')
}

function withHost(url: string, host: string, spelling: string): Error {
  return coreError(
    'VALIDATION_FAILED',
    `The storage URL "${hidePassword(url)}" has a host, "${host.replace(/^.*@/, '')}"; for a path write "${spelling}".`,
    { details: { url: hidePassword(url), spelling } },
  )
}

/** A literal `%` is written as `%25`. */
function decode(path: string): string {
  try {
    const decoded = decodeURIComponent(path)
    if (!decoded.includes('\0')) return decoded
  } catch {
    // Handled below.
  }
  throw coreError('VALIDATION_FAILED', `"${path}" is not a path in a storage URL; write "%" in it as "%25".`, {
    details: { path },
  })
}
