// @ts-check
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { publishedProblems } from '../checks/published-package.mjs'
import { pack } from '../pack.mjs'
import { scratchFolder } from './scratch.mjs'

const manifest = {
  name: 'sundial',
  version: '1.0.0',
  type: 'module',
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
}
const files = {
  'README.md': '# Sundial',
  'src/index.ts': 'export const hours = 12',
  'dist/index.js': 'export const hours = 12',
  'dist/index.d.ts': 'export declare const hours = 12',
}

test('packages are packed together, and each is judged by what is in its tarball', async () => {
  const base = scratchFolder({
    ...inFolder('sound', { ...files, 'package.json': manifest, LICENSE: 'MIT' }),
    ...inFolder('unfit', {
      ...files,
      'package.json': {
        ...manifest,
        name: 'unfit',
        exports: { ...manifest.exports, './gone': './dist/gone.js' },
      },
      'dist/index.d.ts': 'declare const hours: 12; export = hours',
      'dist/old.js': 'export {}',
      'test/index.test.ts': 'export {}',
    }),
  })
  const names = ['sound', 'unfit']
  const packed = pack(
    names.map((name) => join(base, name)),
    base,
  )
  const problems = await Promise.all(
    names.map((name, index) => {
      const tarball = packed[index] ?? expect.fail(`${name} was not packed`)
      return publishedProblems(JSON.parse(readFileSync(join(base, name, 'package.json'), 'utf8')), tarball)
    }),
  )
  expect(problems[0]).toEqual([])
  expect(problems[1]).toEqual([
    'unfit: LICENSE is missing from the tarball',
    'unfit: dist/old.js has no source any more; delete dist/ and build again',
    'unfit: test/index.test.ts must not be published',
    expect.stringMatching(/^unfit: publint: .*gone\.js/),
    expect.stringMatching(/^unfit: are the types wrong: .*"\.\/gone"/),
    expect.stringMatching(/^unfit: are the types wrong: /),
  ])
})

/** @param {string} folder @param {Record<string, string | object>} contents */
const inFolder = (folder, contents) =>
  Object.fromEntries(Object.entries(contents).map(([file, content]) => [`${folder}/${file}`, content]))
