// @ts-check
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { env, execPath } from 'node:process'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'
import { listFiles, root } from '../packages.mjs'
import { numberPrints, wrongClaims } from './printed.mjs'
import { readSnippets } from './snippets.mjs'

/** @import { Snippet } from './snippets.mjs' */
/** @typedef {Snippet & { path: string, document: string, file: string }} SnippetFile `path` is the package, `file` is in the project, compiled */

const exec = promisify(execFile)

/**
 * Writes the snippets of a document as modules. What they declare is exported, so that the compiler must be able to name
 * every inferred type in a declaration.
 *
 * @param {string} project the folder
 * @param {string} path of the package, relative to the repository
 * @param {string} name
 * @param {string} [document] relative to the package
 * @returns {SnippetFile[]}
 */
export function writeSnippets(project, path, name, document = 'README.md') {
  if (!existsSync(join(root, path, document))) return []
  return readSnippets(readFileSync(join(root, path, document), 'utf8')).map((snippet) => {
    const file = `snippets/${name}-${snippet.line}`
    const code = numberPrints(snippet.code)
    const exported = code.replace(/^(?=(?:const|let|(?:async )?function|class) )/gm, 'export ')
    if (snippet.language === 'ts') write(join(project, `${file}.ts`), `${exported}\nexport {}\n`)
    else write(join(project, `out/${file}.js`), code)
    return { ...snippet, path, document, file: `out/${file}.js` }
  })
}

/**
 * Runs the snippets that are to be run, with `DATABASE_URL` naming an empty PostgreSQL database and `REDIS_URL` the server
 * at `MINIONS_TEST_REDIS_URL`; without one, those that need it are only compiled.
 *
 * @param {string} project
 * @param {SnippetFile[]} snippets
 * @returns {Promise<string[]>} what is wrong with them
 */
export async function runSnippets(project, snippets) {
  const db = await PGlite.create()
  const server = new PGLiteSocketServer({ db, port: 0, host: '127.0.0.1', maxConnections: 20 })
  await server.start()
  /** @type {string[]} */
  const problems = []
  try {
    const databaseUrl = `postgres://postgres@${server.getServerConn()}/postgres`
    for (const snippet of snippets) {
      const place = `the snippet at ${join(snippet.path, snippet.document)}:${snippet.line}`
      const found = snippet.mark === 'test' ? testProblems(snippet) : await runProblems(project, snippet, databaseUrl)
      problems.push(...found.map((problem) => `${place} ${problem}`))
    }
  } finally {
    await server.stop()
    await db.close()
  }
  return problems
}

/** @param {SnippetFile} snippet */
function testProblems({ path, code }) {
  const folder = join(root, path, 'test')
  const isTest = listFiles(folder).some(
    (file) => file.endsWith('.test.ts') && readFileSync(join(folder, file), 'utf8') === code,
  )
  return isTest ? [] : ['is not one of the test files of the package']
}

/** @param {string} project @param {SnippetFile} snippet @param {string} databaseUrl */
async function runProblems(project, { mark, file, code }, databaseUrl) {
  if (mark === 'no-run' || (mark === 'redis' && !env.MINIONS_TEST_REDIS_URL)) return []
  // A folder of its own: a snippet may write files.
  const cwd = join(project, `${file}.run`)
  mkdirSync(cwd, { recursive: true })
  try {
    const options = {
      cwd,
      timeout: 120_000,
      env: { ...env, DATABASE_URL: databaseUrl, REDIS_URL: env.MINIONS_TEST_REDIS_URL },
    }
    const { stdout } = await exec(execPath, [join(project, file)], options)
    return wrongClaims(code, stdout)
  } catch (error) {
    return [`does not run:\n${error}`]
  }
}

/** @param {string} file @param {string} text */
function write(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
