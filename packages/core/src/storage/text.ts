import { guarded } from '../errors/guard.js'
/** Increase this number when text folding changes: every store then rebuilds its text index when next opened. */
export const FOLD_VERSION = 1

/** Only this many UTF-16 units at the beginning of a record's text are searched. */
export const MAX_SEARCHED_LENGTH = 256 * 1024

const MAX_WORD_LENGTH = 64

/** Folds case and accents the same way for every backend; all but letters, digits and marks becomes a space. */
export const foldText = guarded('foldText', foldTextUnchecked)

function foldTextUnchecked(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\0-\x7f]+/g, foldRun)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
}

/** Compatibility forms may decompose to capitals (`™` to `TM`), and a final sigma is a sigma. */
function foldRun(run: string): string {
  return run
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .toLowerCase()
    .replaceAll('ς', 'σ')
}

/** The distinct words of folded text in order of first use, each truncated to 64 code points. */
export const words = guarded('words', wordsUnchecked)

function wordsUnchecked(folded: string): string[] {
  return distinct(folded.match(/[\p{L}\p{N}\p{M}]+/gu))
}

function distinct(words: readonly string[] | null): string[] {
  const found = new Set<string>()
  for (const word of words ?? []) found.add(cut(word))
  return [...found]
}

/** The words by which a record's text is found. Most texts are ASCII, which has only case to fold. */
export function searchWords(text: string): string[] {
  const searched = text.slice(0, MAX_SEARCHED_LENGTH)
  return ASCII.test(searched)
    ? distinct(searched.toLowerCase().match(/[a-z0-9]+/g))
    : wordsUnchecked(foldTextUnchecked(searched))
}

const ASCII = /^[\0-\x7f]*$/

function cut(word: string): string {
  return word.length <= MAX_WORD_LENGTH ? word : Array.from(word).slice(0, MAX_WORD_LENGTH).join('')
}
