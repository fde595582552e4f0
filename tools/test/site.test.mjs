// @ts-check
import { expect, test } from 'vitest'
import { llmsText, pageText } from '../site/pages.mjs'

const pages = [
  { source: 'docs/guide/code.md', page: 'guide/code.md' },
  { source: 'packages/core/README.md', page: 'packages/core.md' },
]
const site = { pages, repository: 'https://example.org/us', isFolder: (/** @type {string} */ path) => path === 'tools' }

test('links between documents stay in the site, and others lead to the repository', () => {
  const text =
    '[a](../../packages/core/README.md#types) [b](../../packages/core) [c](../../tools/x.mjs) [d](../../tools) [e](#here) [f](https://x.y)'
  expect(pageText({ source: 'docs/guide/code.md', page: 'guide/code.md' }, text, site)).toBe(
    '[a](../packages/core.md#types) [b](../packages/core.md) [c](https://example.org/us/blob/main/tools/x.mjs) [d](https://example.org/us/tree/main/tools) [e](#here) [f](https://x.y)',
  )
})

test('what looks like HTML or an expression is text, except in code', () => {
  const text = 'a <b> {{c}} `<d> {{e}}`\n```ts\n<f> {{g}}\n```\n<!-- h -->\n<CodePlayground />'
  expect(pageText({ source: 'docs/x.md', page: 'x.md' }, text, site)).toBe(
    'a &lt;b> &#123;&#123;c}} `<d> {{e}}`\n```ts\n<f> {{g}}\n```\n\n<CodePlayground />',
  )
})

test('the list for language models has each title with its first sentence', () => {
  const text = llmsText([{ page: 'a.md', text: '# A thing\n\nIt does\nsomething. And more.\n' }])
  expect(text).toContain('- [A thing](a.md): It does something.')
})
