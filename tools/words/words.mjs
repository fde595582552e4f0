// @ts-check

/**
 * Words that we do not use, each with what to write instead. Only what has no proper use in our texts is listed: "letters"
 * are characters as often as messages, so a reviewer has to tell them apart.
 *
 * @type {{ pattern: RegExp, instead: string }[]}
 */
const words = [
  {
    pattern: /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b|one\b|less\b|different\b|better\b|worse\b)\w+/gi,
    instead: 'is not a …',
  },
  { pattern: /\b(?:in|round) a circle\b/gi, instead: 'a cycle' },
  { pattern: /\b(?:same|each|every|another|of the|this|that|such a) questions?\b/gi, instead: 'query' },
  { pattern: /\bask(?:s|ed)? (?:a|the|its|every|each) (?:store|database|backend)\b/gi, instead: 'query the store' },
  { pattern: /\broom\b/gi, instead: 'capacity' },
  { pattern: /\ba word about\b/gi, instead: 'say what it says' },
  { pattern: /\bcomes? of it\b/gi, instead: 'the outcome' },
  { pattern: /\bwhoever\b/gi, instead: 'the caller, or say who' },
  { pattern: /\bsomebody\b/gi, instead: 'another process, the caller, or say who' },
  { pattern: /\bnobody\b/gi, instead: 'no one, or say who' },
  { pattern: /\bby halves\b/gi, instead: 'half applied' },
  { pattern: /\bled (?:over|to)\b/gi, instead: 'is migrated, is upcast' },
  { pattern: /\bthat is there counts\b/gi, instead: 'first match wins' },
  { pattern: /\bto lose no\b/gi, instead: 'optimistic concurrency, or say what is kept' },
  { pattern: /\bfitting\b/gi, instead: 'valid' },
  { pattern: /\bbur(?:y|ies|ied)\b/gi, instead: 'mark dead' },
  { pattern: /\bto be had\b/gi, instead: 'available' },
  { pattern: /\bsay(?:s)? nothing of\b/gi, instead: 'does not reveal' },
  { pattern: /\bin vain\b/gi, instead: 'without success, or say what failed' },
  { pattern: /\bthe page before\b/gi, instead: 'the previous page' },
  { pattern: /\bno one else holds\b/gi, instead: 'is not shared' },
  { pattern: /\bJSON cannot carry\b/gi, instead: 'JSON cannot represent' },
]

/** @typedef {{ line: number, word: string, instead: string }} Finding */

/**
 * The listed words in a text.
 *
 * @param {string} text
 * @param {number} [firstLine] of the text in its file
 * @returns {Finding[]}
 */
export function findWords(text, firstLine = 1) {
  // A line break is a space, so that a phrase is found across it; its length stays, so that lines can be counted.
  const flat = text.replace(/\n[ \t]*\*?/g, (gap) => ' '.repeat(gap.length))
  return words.flatMap(({ pattern, instead }) =>
    [...flat.matchAll(pattern)].map(({ 0: word, index }) => ({
      line: firstLine + text.slice(0, index).split('\n').length - 1,
      word: word.replace(/\s+/g, ' '),
      instead,
    })),
  )
}
