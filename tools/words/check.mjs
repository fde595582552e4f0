// @ts-check
// Finds words that we do not use in documents, comments and messages: `npm run check:words`.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles, listPackages, root } from '../packages.mjs'
import { reportProblems } from '../report.mjs'
import { markdownTexts, sourceTexts } from './texts.mjs'
import { findWords } from './words.mjs'

/** @typedef {import('./words.mjs').Finding & { file: string }} FileFinding */

/** @param {string} file relative to the repository @returns {FileFinding[]} */
function findingsIn(file) {
  const text = readFileSync(join(root, file), 'utf8')
  const texts = file.endsWith('.md') ? markdownTexts(text) : sourceTexts(file, text)
  return texts.flatMap((one) => findWords(one.text, one.line)).map((finding) => ({ ...finding, file }))
}

/** @param {string} folder relative to the repository @param {RegExp} kind */
const filesIn = (folder, kind) =>
  listFiles(join(root, folder))
    .filter((file) => kind.test(file))
    .map((file) => `${folder}/${file}`)

const packages = listPackages()
const documents = [
  ...listFiles(root, false).filter((file) => file.endsWith('.md')),
  ...filesIn('docs', /\.md$/),
  ...filesIn('.changeset', /\.md$/),
  ...filesIn('.github', /\.md$/),
  ...packages.map(({ path }) => `${path}/README.md`).filter((file) => existsSync(join(root, file))),
]
const sources = packages.flatMap(({ path }) => filesIn(`${path}/src`, /\.ts$/))

reportProblems(
  'words',
  [...documents, ...sources].flatMap(findingsIn).map(sentence),
  `${documents.length} documents and ${sources.length} sources use none of them`,
)

/** @param {FileFinding} finding */
function sentence({ file, line, word, instead }) {
  return `${file}:${line} has "${word}"; write: ${instead}`
}
