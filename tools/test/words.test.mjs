// @ts-check
import { expect, test } from 'vitest'
import { markdownTexts, sourceTexts } from '../words/texts.mjs'
import { findWords } from '../words/words.mjs'

test.each([
  ['This is no record.', 'is no record'],
  ['Values that\n * are no list.', 'are no list'],
  ['They wait in a circle.', 'in a circle'],
  ['The same question gets the same answer.', 'same question'],
  ['It asks the store.', 'asks the store'],
  ['There is room for two.', 'room'],
  ['The lease buries it.', 'buries'],
  ['Whatever comes of it.', 'comes of it'],
  ['A fitting value.', 'fitting'],
  ['With a word about them.', 'a word about'],
  ['Whoever reads it.', 'Whoever'],
  ['For somebody else.', 'somebody'],
  ['It disturbs nobody.', 'nobody'],
  ['Applied by halves.', 'by halves'],
  ['It is led over.', 'led over'],
  ['The first that is there counts.', 'that is there counts'],
  ['To lose no change.', 'To lose no'],
])('%j is found', (text, word) => {
  expect(findWords(text).map((finding) => finding.word)).toEqual([word])
})

test.each([
  'There is no record.',
  'It is no longer there.',
  'If there are no items, it ends.',
  'Ask the user a question.',
])('%j is proper English', (text) => expect(findWords(text)).toEqual([]))

test('a finding has the line of the text that it is in', () => {
  expect(findWords('one\ntwo\nnobody', 10)).toEqual([expect.objectContaining({ line: 12, word: 'nobody' })])
})

test('code, front matter and generated parts of a document are left alone', () => {
  const text = '---\nnobody: 1\n---\n`nobody`\n```\nnobody\n```\n<!-- x -->\nnobody\n<!-- /x -->\nnobody\n'
  expect(markdownTexts(text).flatMap((one) => findWords(one.text, one.line))).toEqual([
    expect.objectContaining({ line: 11 }),
  ])
})

test('comments and sentences of a source are read, names are not', () => {
  const source = "const nobody = 1 // for nobody\nthrow new Error('This is no record.')\nexport const room = 'nobody'\n"
  const found = sourceTexts('a.ts', source).flatMap((one) => findWords(one.text, one.line))
  expect(found.map(({ line, word }) => [line, word])).toEqual([
    [1, 'nobody'],
    [2, 'is no record'],
  ])
})
