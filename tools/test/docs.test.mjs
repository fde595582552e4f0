// @ts-check
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { describe, expect, test } from 'vitest'
import { brokenLinks } from '../docs/links.mjs'
import { fillMarkers } from '../docs/markers.mjs'
import { numberPrints, wrongClaims } from '../docs/printed.mjs'
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
  const text = '```sh\nnpm i\n```\n\n```ts\na\n```\n```js no-run\nb\n```\n```ts ignore\nc\n```\n```ts test\nd\n```\n'
  expect(readSnippets(text)).toEqual([
    { language: 'ts', mark: 'run', line: 5, code: 'a\n' },
    { language: 'js', mark: 'no-run', line: 8, code: 'b\n' },
    { language: 'ts', mark: 'test', line: 14, code: 'd\n' },
  ])
})

describe('what comments say a snippet prints', () => {
  /** @param {string} code */
  const problems = (code) => wrongClaims(code, execFileSync(execPath, ['-e', numberPrints(code)], { encoding: 'utf8' }))

  test.each([
    ['behind the call', "console.log('a', 1) // a 1\n"],
    ['below the call, over several lines', "console.log({ a: ['b'] })\n// { a:\n//   [ 'b' ] }\n"],
    ['for every turn of a loop', 'for (const n of [1, 2]) console.log(n)\n// 1\n// 2\n'],
    ['with a part left out', 'console.log([Date.now(), 1]) // [ …, 1 ]\n'],
    ['not at all, after an empty line', "console.log('a')\n\n// Something else\n"],
    ['of a call that is among others', "console.log('a') // a\nconsole.log('b')\nconsole.log('c') // c\n"],
  ])('is right: %s', (_, code) => {
    expect(problems(code)).toEqual([])
  })

  test.each([
    ['another value', 'console.log(1) // 2\n', 'says it prints "2", but prints "1"'],
    ['a value that goes on', 'console.log(12) // 1\n', 'says it prints "1", but prints "12"'],
    ['a call that is not reached', 'if (0) console.log(1) // 1\n', 'says it prints "1", but prints nothing'],
    ['what another call prints', 'console.log(1)\nconsole.log(2) // 1\n', 'says it prints "1", but prints "2"'],
    ['a remark', 'console.log(1) // pass it on\n', 'says it prints "pass it on", but prints "1"'],
    ['lines below', 'console.log(1)\n// 2\n', 'says it prints "2", but prints "1"'],
  ])('is wrong: %s', (_, code, problem) => {
    expect(problems(code)).toEqual([problem])
  })
})
