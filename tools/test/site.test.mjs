// @ts-check
import { expect, test } from 'vitest'
import { programs } from '../../site/.vitepress/theme/programs.mjs'
import { runProgram } from '../../site/.vitepress/theme/run-program.mjs'
import { llmsText, pageText } from '../site/pages.mjs'

const pages = [
  { source: 'docs/guide/code.md', page: 'guide/code.md' },
  { source: 'packages/core/README.md', page: 'packages/core.md' },
]
const kinds = new Map(
  Object.entries({ tools: /** @type {const} */ ('tree'), 'tools/x.mjs': /** @type {const} */ ('blob') }),
)
const site = {
  pages,
  repository: 'https://example.org/us',
  kindOf: (/** @type {string} */ path) => kinds.get(path),
}

test('links between documents stay in the site, and others lead to the repository', () => {
  const text =
    '[a](../../packages/core/README.md#types) [b](../../packages/core) [c](../../tools/x.mjs) [d](../../tools) [e](#here) [f](https://x.y)'
  expect(pageText({ source: 'docs/guide/code.md', page: 'guide/code.md' }, text, site)).toBe(
    '[a](../packages/core.md#types) [b](../packages/core.md) [c](https://example.org/us/blob/main/tools/x.mjs) [d](https://example.org/us/tree/main/tools) [e](#here) [f](https://x.y)',
  )
})

test('a link to a file that does not exist is refused', () => {
  expect(() => pageText({ source: 'docs/x.md', page: 'x.md' }, '[a](nowhere.md)', site)).toThrow(
    'docs/x.md links to nowhere.md, which does not exist',
  )
})

test.each(programs)('the playground runs “$title”', async ({ code, prints }) => {
  const printed = await runProgram(code)
  for (const text of prints) expect(printed).toContain(text)
})

test('the playground takes imports as people write them, and says which it has not', async () => {
  const program = `import * as core from "@minions/core";\nimport {\n  nearestName as nearest,\n} from '@minions/core'\nconsole.log(nearest('tsk', ['task']), core.nearestName === nearest)`
  expect(await runProgram(program)).toBe('task true')
  expect(await runProgram("import { x } from 'left'")).toContain('The playground has no left')
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
