const NAMES = /(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$/i
const SHORTEST = 8
const REPLACEMENT = '[redacted]'

/** Usual formats of keys, for texts with a key that is not known here. */
const PATTERNS = [/\b(?:sk|pk|rk|xai|gsk|hf|AIza)[-_][A-Za-z0-9_-]{16,}/g, /\bBearer\s+[A-Za-z0-9._~+/=-]{8,}/gi]

/** Redacts keys from texts: those of the environment, given ones, and the usual formats. */
export class Redactor {
  readonly #secrets: readonly string[]

  constructor(secrets: readonly string[], environment: Readonly<Record<string, string | undefined>> = {}) {
    const named = Object.entries(environment).flatMap(([name, value]) => (NAMES.test(name) && value ? [value] : []))
    const all = [...secrets, ...named].filter((each) => each.length >= SHORTEST)
    // Longest first, so that a key that begins like another is removed completely.
    this.#secrets = [...new Set(all)].sort((a, b) => b.length - a.length)
  }

  /** The text without known keys. */
  known(text: string): string {
    let clean = text
    for (const secret of this.#secrets) if (clean.includes(secret)) clean = clean.replaceAll(secret, REPLACEMENT)
    return clean
  }

  /** The text without known keys and without anything that looks like one; for errors, logs and files. */
  text(text: string): string {
    let clean = this.known(text)
    for (const pattern of PATTERNS) clean = clean.replace(pattern, REPLACEMENT)
    return clean
  }

  /** Copies JSON with every string redacted, including property names; `known` keeps what only looks like a key. */
  json<T>(value: T, how: 'text' | 'known' = 'text'): T {
    if (typeof value === 'string') return this[how](value) as T
    if (Array.isArray(value)) return value.map((each) => this.json(each, how)) as T
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [this[how](key), this.json(each, how)])) as T
  }

  /** Redacts known keys in a streamed text: holds back what may be the beginning of one. */
  stream(push: (piece: string) => void): { readonly write: (piece: string) => void; readonly end: () => void } {
    let held = ''
    return {
      write: (piece) => {
        const text = this.known(held + piece)
        const keep = this.#secrets.reduce((most, secret) => Math.max(most, overlap(text, secret)), 0)
        held = text.slice(text.length - keep)
        if (text.length > keep) push(text.slice(0, text.length - keep))
      },
      end: () => {
        if (held !== '') push(held)
        held = ''
      },
    }
  }
}

/** Number of characters at the end of a text that may begin a secret. */
function overlap(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length--) {
    if (secret.startsWith(text.slice(text.length - length))) return length
  }
  return 0
}
