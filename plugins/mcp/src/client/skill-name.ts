import { createHash } from 'node:crypto'

/** Longest name of a skill. */
const LONGEST = 50

interface Named {
  readonly id: string
  readonly name: string
}

/**
 * Name of a skill of another server: that of the server, then its own. A server cannot choose a name outside its own
 * prefix. A name that is too long ends with part of a hash.
 */
function skillName(server: string, { id, name }: Named): string {
  const own = name.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '')
  const whole = `${server}-${own === '' ? hashOf(id) : own}`
  return whole.length <= LONGEST ? whole : `${whole.slice(0, LONGEST - 9)}-${hashOf(id)}`
}

/** Names of skills for all that a server offers, by id; of names that differ only in punctuation, all but the first get a hash. */
export function skillNames(server: string, offers: readonly Named[]): Map<string, string> {
  const taken = new Set<string>()
  return new Map(
    offers
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map((offer) => {
        const plain = skillName(server, offer)
        const name = taken.has(plain) ? `${plain.slice(0, LONGEST - 9)}-${hashOf(offer.id)}` : plain
        taken.add(name)
        return [offer.id, name]
      }),
  )
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
