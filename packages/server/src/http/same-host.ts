import { serverError } from '../errors.js'

/** Local names of this machine. */
export const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/** True for an address of this machine, as a socket gives it. */
export function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/.test(address)
}

export interface SameHostOptions {
  /** Host names, with or without port, that the server answers to. */
  readonly hosts: readonly string[]
  /** Origins of pages that may call besides those that the server itself serves. */
  readonly origins: readonly string[]
}

/** Checks of a request against the names of a server. */
export interface SameHostCheck {
  /**
   * Refuses requests that were sent to another name, as by a page that points its own name at this machine (DNS
   * rebinding). Throws `HOST_REFUSED`.
   */
  host(request: Request): void
  /** Refuses requests from pages of other origins. Throws `ORIGIN_REFUSED`. */
  origin(request: Request): void
}

export function sameHostCheck({ hosts, origins }: SameHostOptions): SameHostCheck {
  const allowed = new Set(hosts.map((host) => host.toLowerCase()))
  const trusted = new Set(origins)
  const isAllowed = (host: string) => allowed.has(host) || allowed.has(host.replace(/:\d+$/, ''))
  // Nearly all requests agree with the last accepted one, in the beginning of their URL and in the header.
  let lastStart = ''
  let lastNamed: string | null = null
  return {
    host({ url, headers }) {
      const named = headers.get('host')
      if (lastStart !== '' && named === lastNamed && url.startsWith(lastStart)) return
      const target = hostOf(url)
      // The target of a request line may name a host too, and need not agree with the header.
      if (!isAllowed(target) || (named !== null && !isAllowed(named.toLowerCase()))) throw hostRefused(named ?? target)
      const end = endOfHost(url)
      // With the slash, so that it is not the beginning of a longer name.
      lastStart = url[end] === '/' ? url.slice(0, end + 1) : ''
      lastNamed = named
    },
    origin({ url, headers }) {
      const origin = headers.get('origin')
      if (origin !== null) {
        if (trusted.has(origin) || isSameHost(origin, hostOf(url))) return
        throw originRefused(`pages of ${origin.slice(0, 200)}`)
      }
      const site = headers.get('sec-fetch-site')
      if (site === 'cross-site' || site === 'same-site') throw originRefused('pages of another origin')
    },
  }
}

function hostOf(url: string): string {
  return url.slice(startOfHost(url), endOfHost(url)).toLowerCase()
}

function startOfHost(url: string): number {
  return url.indexOf('://') + 3
}

function endOfHost(url: string): number {
  const start = startOfHost(url)
  const length = url.slice(start).search(/[/?#]/)
  return length < 0 ? url.length : start + length
}

/** The scheme may differ, since a proxy in front of the server may add TLS. */
function isSameHost(origin: string, host: string): boolean {
  return /^https?:\/\//.test(origin) && hostOf(origin) === host
}

function hostRefused(host: string): Error {
  return serverError(
    'HOST_REFUSED',
    `This server does not answer to the host "${host.slice(0, 200)}"; add it to \`hosts\` (minions serve --allow-host) if it should.`,
  )
}

function originRefused(who: string): Error {
  return serverError(
    'ORIGIN_REFUSED',
    `The server does not answer ${who}; add the origin to \`origins\` (minions serve --allow-origin) if it should.`,
  )
}
