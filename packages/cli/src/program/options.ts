import { InvalidArgumentError } from 'commander'

/** Collects an option that may be given several times. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value]
}

/** Collects tags, which may also be separated by commas. */
export function collectTags(value: string, previous: readonly string[] = []): string[] {
  return [...previous, ...value.split(',').map((tag) => tag.trim())].filter((tag) => tag !== '')
}

export function wholeNumber(least = 0): (value: string) => number {
  return (value) => {
    if (/^\d+$/.test(value) && Number.isSafeInteger(Number(value)) && Number(value) >= least) return Number(value)
    throw new InvalidArgumentError(`It must be a whole number of at least ${least}.`)
  }
}

/** `name=value`, cut at the first `=`. */
function pair(value: string): [string, string] {
  const at = value.indexOf('=')
  if (at > 0) return [value.slice(0, at), value.slice(at + 1)]
  throw new InvalidArgumentError('It must be name=value.')
}

export function collectPairs(value: string, previous: readonly [string, string][] = []): [string, string][] {
  return [...previous, pair(value)]
}

/** Removes undefined values: options are absent rather than undefined. */
export function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
