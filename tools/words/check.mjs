// @ts-check
// Finds words that we do not use in documents, comments and messages: `npm run check:words`. Documents must be free of them;
// a folder of sources may have as many as tools/words/allowed.json says, which only shrinks. `--list <path>` shows them, and
// `--write` lowers the numbers to what is left.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { listFiles, listPackages, readJson, root } from '../packages.mjs'
import { reportProblems } from '../report.mjs'
import { markdownTexts, sourceTexts } from './texts.mjs'
import { findWords } from './words.mjs'

/** @typedef {import('./words.mjs').Finding & { file: string }} FileFinding */

const allowedFile = fileURLToPath(new URL('allowed.json', import.meta.url))

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
const folders = packages.map(({ path }) => `${path}/src`)
const inSources = new Map(folders.map((folder) => [folder, filesIn(folder, /\.ts$/).flatMap(findingsIn)]))

const listed = argv[argv.indexOf('--list') + 1]
if (argv.includes('--list') && listed !== undefined) {
  for (const finding of inSources.get(listed) ??
    documents.filter((file) => file.startsWith(listed)).flatMap(findingsIn))
    console.log(sentence(finding))
} else {
  /** @type {Record<string, number>} */
  const allowed = existsSync(allowedFile) ? readJson(allowedFile) : {}
  if (argv.includes('--write')) {
    const left = [...inSources].flatMap(([folder, { length }]) =>
      length === 0 ? [] : [[folder, Math.min(length, allowed[folder] ?? length)]],
    )
    writeFileSync(allowedFile, `${JSON.stringify(Object.fromEntries(left), null, 2)}\n`)
  }
  const inDocuments = documents.flatMap(findingsIn)
  const tooMany = [...inSources].filter(([folder, { length }]) => length > (readJson(allowedFile)[folder] ?? 0))
  reportProblems(
    'words',
    [
      ...inDocuments.map(sentence),
      ...tooMany.map(
        ([folder, { length }]) =>
          `${folder} has ${length} listed words; see node tools/words/check.mjs --list ${folder}`,
      ),
    ],
    `${documents.length} documents use none of them; ${[...inSources.values()].flat().length} are left in sources`,
  )
}

/** @param {FileFinding} finding */
function sentence({ file, line, word, instead }) {
  return `${file}:${line} has "${word}"; write: ${instead}`
}
