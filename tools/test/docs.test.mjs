// @ts-check
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { describe, expect, test } from 'vitest'
import { strangersCommands } from '../docs/commands.mjs'
import { errorPage } from '../docs/error-page.mjs'
import { brokenLinks } from '../docs/links.mjs'
import { fillMarkers } from '../docs/markers.mjs'
import { missingFiles } from '../docs/named-files.mjs'
import { packageMap, sourceMap } from '../docs/package-map.mjs'
import { numberPrints, wrongClaims } from '../docs/printed.mjs'
import { readSnippets } from '../docs/snippets.mjs'
import { unclosedSnippets } from '../docs/unclosed.mjs'
import { listPackages } from '../packages.mjs'
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
  const text =
    '```sh\nnpm i\n```\n\n```ts\na\n```\n```js no-run\nb\n```\n```ts ignore\nc\n```\n```ts test\nd\n```\n```ts redis\ne\n```\n'
  expect(readSnippets(text)).toEqual([
    { language: 'ts', mark: 'run', line: 5, code: 'a\n' },
    { language: 'js', mark: 'no-run', line: 8, code: 'b\n' },
    { language: 'ts', mark: 'test', line: 14, code: 'd\n' },
    { language: 'ts', mark: 'redis', line: 17, code: 'e\n' },
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

test('files that a document names in code spans must exist', () => {
  const base = scratchFolder({ 'packages/a/src/b.ts': '' })
  const text =
    '`packages/a/src/b.ts` `packages/a/src` `packages/<name>` `tools/gone.mjs`\n```\n`docs/in-a-block`\n```\n'
  expect(missingFiles(base, text)).toEqual(['tools/gone.mjs'])
})

test('snippets close what they open, whatever happens', () => {
  const open = 'const app = await createMinions({})'
  const close = 'await app.close()'
  const text = [`${open}`, `${open}\n${close}`, `${open}\ntry {\n  f()\n} finally {\n  ${close}\n}`, 'console.log(1)']
    .map((code) => `\`\`\`ts\n${code}\n\`\`\`\n`)
    .join('')
  expect(unclosedSnippets(text)).toEqual([1, 4])
})

describe('the map of packages', () => {
  const packages = () =>
    listPackages(
      scratchFolder({
        'packages/core/package.json': { name: '@minions/core' },
        'packages/core/src/index.ts': 'export const a = 1\n',
        'packages/core/src/errors.ts': "export const CORE_ERROR_CODES = { GONE: 'It | is gone.' } as const\n",
        'packages/files/package.json': { name: '@minions/files' },
        'packages/files/src/index.ts': "import '@minions/core/plugin'\n",
        'packages/workspace/package.json': { name: '@minions/workspace' },
        'packages/workspace/src/index.ts': "import '@minions/core'\nimport '@minions/files'\n",
      }),
    )

  test('leaves out an arrow that follows from others', () => {
    const map = packageMap(packages())
    expect(map).toContain('  files --> core\n  workspace --> files\n')
    expect(map).not.toContain('workspace --> core')
  })

  test('lists the sources of each package', () => {
    expect(sourceMap(packages())).toContain('| [`core`](packages/core/src) | `errors.ts` |')
  })

  test('error codes come from the tables, and each needs a remedy', () => {
    const { page, problems } = errorPage(packages())
    expect(page).toContain('| `GONE` | It \\| is gone. |')
    expect(problems).toContain('GONE has no remedy in tools/docs/remedies.json')
  })
})

describe('the command `minions`, whose name is taken on npm', () => {
  test.each([
    ['```sh\nnpx minions list\n```', [2]],
    ['```sh\nminions list\n```', [2]],
    ['```console\n$ npx minions list\n```', [2]],
    ['```sh\nKEY=$(npx minions keys create)\n```', [2]],
    ['Run `npx minions list`.', [1]],
    ['`minions serve` has it.', [1]],
    ['```sh\nnpm install @minions/cli\nminions list\n```', [3]],
  ])('%j runs or names it without its package', (text, lines) => expect(strangersCommands(text)).toEqual(lines))

  test.each([
    '```sh\nnpx @minions/cli list\n```',
    '```sh\nnpm install @minions/cli @minions/core\nnpx minions list\n```',
    '```sh\nnpm install --global @minions/cli\nminions list\n```',
    '```sh\nnpm ci && npm start\nnpx minions list\n```',
    '`minions serve`, of `@minions/cli`, has it.',
    'Many minions and `minions.get(id)`.',
    '<!-- bench -->\n`minions list`\n<!-- /bench -->',
  ])('%j does not', (text) => expect(strangersCommands(text)).toEqual([]))
})
