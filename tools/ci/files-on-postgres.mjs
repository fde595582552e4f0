// @ts-check
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { listFiles, root } from '../packages.mjs'

/**
 * The test files of a folder that come out differently where there is a PostgreSQL server: those that read its address, and those
 * that name a file which does, be it to import it or to start it.
 *
 * @param {string} folder a package, relative to the root
 * @param {string} [base] the repository's root
 * @returns {string[]} relative to the root
 */
export function filesOnPostgres(folder, base = root) {
  return listFiles(join(base, folder, 'test'))
    .filter((file) => /\.test\.(ts|mjs)$/.test(file))
    .map((file) => `${folder}/test/${file}`)
    .filter((file) => reached(join(base, file)).some((text) => text.includes('env.MINIONS_TEST_POSTGRES_URL')))
}

/**
 * The texts of a file and of all that it names by a relative path, however far.
 *
 * @param {string} start
 * @returns {string[]}
 */
function reached(start) {
  /** @type {Map<string, string>} */
  const texts = new Map()
  const waiting = [start]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (texts.has(file)) continue
    // Of a file that gives only a type, nothing runs.
    const text = readFileSync(file, 'utf8').replace(/^import type .*$/gm, '')
    texts.set(file, text)
    for (const [, name = ''] of text.matchAll(/['"](\.{1,2}\/[^'"\n]+\.[cm]?[jt]s)['"]/g)) {
      const named = resolve(dirname(file), name)
      const found = [named, named.replace(/js$/, 'ts')].find((each) => existsSync(each))
      if (found !== undefined) waiting.push(found)
    }
  }
  return [...texts.values()]
}
