import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FOLD_VERSION, foldText, MAX_SEARCHED_LENGTH, searchWords, words } from '../../src/storage/text.js'

/** Stored text indexes depend on these: whoever changes one must raise FOLD_VERSION. */
const GOLDEN: readonly (readonly [string, readonly string[]])[] = [
  ['Hello, World!', ['hello', 'world']],
  ['anna.maria+spam@Example-Mail.co.uk', ['anna', 'maria', 'spam', 'example', 'mail', 'co', 'uk']],
  ['/usr/local/node_modules/@scope/pkg', ['usr', 'local', 'node', 'modules', 'scope', 'pkg']],
  ['v1.10.2-beta+77', ['v1', '10', '2', 'beta', '77']],
  ['Größe STRAẞE Fuß', ['große', 'straße', 'fuß']],
  ['İstanbul Iğdır', ['istanbul', 'igdır']],
  ['ﬁnal oﬃce', ['final', 'office']],
  ['ΟΔΥΣΣΕΥΣ σοφός', ['οδυσσευσ', 'σοφοσ']],
  ['Cafe\u0301 Café', ['cafe']],
  ['Ångström Å K', ['angstrom', 'a', 'k']],
  ['ＦＵＬＬ ｗｉｄｔｈ', ['full', 'width']],
  ['x² ½ Ⅻ ™', ['x2', '1', '2', 'xii', 'tm']],
  ['自然語言 テスト', ['自然語言', 'テスト']],
  ['한국어', ['한국어'.normalize('NFKD')]],
  ['हिन्दी', ['हिन्दी']],
  ['naïve co-operate l’été', ['naive', 'co', 'operate', 'l', 'ete']],
  ['a a A', ['a']],
  ['party🎉time', ['party', 'time']],
  ['foo_bar', ['foo', 'bar']],
  ["'; DROP TABLE x; --", ['drop', 'table', 'x']],
  ['', []],
  ['🎉 !?', []],
]

describe('the words of a text', () => {
  it.each(GOLDEN)('%j', (text, expected) => {
    expect(FOLD_VERSION).toBe(1)
    expect(words(foldText(text))).toEqual(expected)
  })

  it('do not change when they are folded again', () => {
    const property = fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const once = searchWords(text)
      expect(searchWords(once.join(' '))).toEqual(once)
    })
    fc.assert(property, { numRuns: 500, seed: 1 })
  })

  it('are the same for upper case, lower case and every normal form', () => {
    const property = fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
      expect(searchWords(text.toUpperCase())).toEqual(searchWords(text))
    })
    fc.assert(property, { numRuns: 200, seed: 1 })
    for (const text of ['Crème brûlée', 'Ångström', '한국어 テスト', 'Việt Nam']) {
      for (const form of ['NFC', 'NFD'] as const) expect(searchWords(text.normalize(form))).toEqual(searchWords(text))
    }
  })

  it('are those of the folded text, whatever its characters and length', () => {
    const units = [fc.constantFrom(...'aZ0 _-.\0\x7f'), fc.constantFrom('K', 'é', 'ß', 'ſ', '２', '東', '🎉')]
    for (const maxLength of [3, 30, 300]) {
      for (const unit of [units[0], fc.oneof(...units)] as fc.Arbitrary<string>[]) {
        const property = fc.property(fc.string({ unit, maxLength }), (text) => {
          expect(searchWords(text)).toEqual(words(foldText(text)))
        })
        fc.assert(property, { numRuns: 200, seed: 1 })
      }
    }
  })

  it('are cut at 64 code points', () => {
    expect(searchWords('x'.repeat(200))).toEqual(['x'.repeat(64)])
    expect(searchWords('𝒳'.repeat(100))).toEqual(['x'.repeat(64)])
    expect(searchWords('𠀀'.repeat(100))).toEqual(['𠀀'.repeat(64)])
  })

  it('come from the beginning of a long text', () => {
    const text = `${'a '.repeat(MAX_SEARCHED_LENGTH / 2)}late`
    expect(searchWords(text)).toEqual(['a'])
  })

  it('take no longer for hostile text', () => {
    expect(searchWords('\u0301'.repeat(MAX_SEARCHED_LENGTH))).toEqual([])
    expect(searchWords('ﷺ'.repeat(MAX_SEARCHED_LENGTH))).not.toEqual([])
  })
})
