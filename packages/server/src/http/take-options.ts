import { quote } from '@minions/core'
import { takeList, takeOptions } from '@minions/core/plugin'
import { serverError } from '../errors.js'
import { DEFAULTS, type HandlerOptions, type SessionKey, type Settings } from './options.js'
import type { RateLimit, RateLimiter } from './rate-limit.js'

/** An upper limit that no real list of names or origins reaches. */
const MOST_NAMES = 10_000

/** The options of a handler with their defaults, read once. Throws `VALIDATION_FAILED`. */
export function takeHandlerOptions(options: HandlerOptions | undefined): Settings {
  const taken = takeOptions('The options of a handler', options)
  const settings: Settings = { ...DEFAULTS, ...given(taken) }
  for (const name of ['maxBodyBytes', 'readTimeout', 'runAfter', 'streamsPerKey'] as const) {
    const value: unknown = settings[name]
    if (typeof value !== 'number' || !(value >= 0)) throw invalid(name, 'a number from 0', value)
  }
  if (typeof settings.withoutKey !== 'boolean') throw invalid('withoutKey', 'true or false', settings.withoutKey)
  return {
    ...settings,
    hosts: takeNames('hosts', settings.hosts),
    origins: takeNames('origins', settings.origins),
    rateLimit: takeLimit('rateLimit', settings.rateLimit),
    failureLimit: takeLimit('failureLimit', settings.failureLimit),
    ...(settings.session !== undefined && { session: takeSession(settings.session) }),
  }
}

function takeSession(session: SessionKey): SessionKey {
  const taken = takeOptions('`session`', session)
  if (typeof taken.key !== 'string' || taken.key === '') throw invalid('session', 'an object with a `key`', session)
  return taken
}

/** An undefined option takes the default. */
function given(options: HandlerOptions): HandlerOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function takeNames(name: string, names: readonly string[]): string[] {
  const taken = takeList(`\`${name}\``, names, MOST_NAMES)
  const wrong = taken.find((each) => typeof each !== 'string')
  if (wrong !== undefined || taken.includes(undefined as never)) throw invalid(name, 'a list of strings', wrong)
  return taken
}

function takeLimit(name: string, limit: RateLimit | RateLimiter | false): RateLimit | RateLimiter | false {
  if (limit === false) return false
  if (typeof limit === 'object' && limit !== null && 'consume' in limit && typeof limit.consume === 'function') {
    return limit
  }
  const { points, duration }: Partial<RateLimit> = takeOptions(`\`${name}\``, limit as RateLimit)
  if (Number.isFinite(points) && Number.isFinite(duration) && Number(points) >= 0 && Number(duration) >= 0) {
    return { points: Number(points), duration: Number(duration) }
  }
  throw invalid(name, 'false, { points, duration } with numbers from 0, or a limiter with `consume`', limit)
}

function invalid(name: string, what: string, value: unknown): Error {
  return serverError('VALIDATION_FAILED', `\`${name}\` of a handler must be ${what}, not ${quote(value)}.`)
}
