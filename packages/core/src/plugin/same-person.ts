import { guarded } from '../errors/guard.js'

/**
 * True if two names may belong to one person: they are equal apart from case, Unicode form, surrounding white space and
 * invisible characters. For checks that two people differ; lists of names are compared exactly.
 */
export const mayBeSamePerson = guarded(
  'mayBeSamePerson',
  (one: string, other: string): boolean => one === other || folded(one) === folded(other),
)

function folded(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .toUpperCase()
    .toLowerCase()
}
