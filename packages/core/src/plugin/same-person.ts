import { guarded } from '../errors/guard.js'

/**
 * True if two names may be those of one person: they are the same but for case, forms of characters, surrounding space
 * and characters that are not seen. For checks that one person must not be the other; a list of names is compared exactly.
 */
export const mayBeSamePerson = guarded('mayBeSamePerson', mayBeSamePersonUnchecked)

function mayBeSamePersonUnchecked(one: string, other: string): boolean {
  return one === other || folded(one) === folded(other)
}

function folded(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .toUpperCase()
    .toLowerCase()
}
