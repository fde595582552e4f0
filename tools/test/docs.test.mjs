// @ts-check
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { brokenLinks } from '../docs/links.mjs'
import { fillMarkers } from '../docs/markers.mjs'
import { readSnippets } from '../docs/snippets.mjs'
import { scratchFolder } from './scratch.mjs'

test('a marked part is replaced, the rest stays, and an unknown part is named', () => {
  const text = 'a\n<!-- x -->\nold\n<!-- /x -->\nb\n<!-- y -->\n<!-- /y -->\n'
  expect(fillMarkers(text, { x: 'new' })).toEqual({
    text: 'a\n<!-- x -->\n\nnew\n\n<!-- /x -->\nb\n<!-- y -->\n<!-- /y -->\n',
    unknown: ['y'],
  })
})

test('links to files and headings that do not exist are found', () => {
  const folder = scratchFolder({ 'a.md': '', 'b.md': '## What `it` is\n' })
  const text = '# Here\n[1](b.md) [2](b.md#what-it-is) [3](#here) [4](https://x.y/z)\n```\n[5](gone.md)\n```\n'
  expect(brokenLinks(join(folder, 'a.md'), text)).toEqual([])
  expect(brokenLinks(join(folder, 'a.md'), '[1](c.md) [2](b.md#gone) [3](#gone)')).toEqual([
    'c.md',
    'b.md#gone',
    '#gone',
  ])
})

test('snippets are read with their marks', () => {
  const text = '```sh\nnpm i\n```\n\n```ts\na\n```\n```js no-run\nb\n```\n```ts ignore\nc\n```\n'
  expect(readSnippets(text)).toEqual([
    { language: 'ts', run: true, line: 5, code: 'a\n' },
    { language: 'js', run: false, line: 8, code: 'b\n' },
  ])
})
