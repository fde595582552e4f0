// @ts-check
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The files of the repository that a text names in code spans and that do not exist. A name is taken for a file when it
 * begins with one of the repository's folders; `*` and `<name>` stand for any part.
 *
 * @param {string} base the repository's root
 * @param {string} text
 * @returns {string[]}
 */
export function missingFiles(base, text) {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '')
  const named = [...prose.matchAll(/`((?:packages|plugins|tools|docs|examples|site|\.github|\.ci)\/[^`\s]*)`/g)]
  return named.map(([, file = '']) => file).filter((file) => !/[*<]/.test(file) && !existsSync(join(base, file)))
}
