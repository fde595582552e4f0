// @ts-check
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * The relative links of a Markdown document whose file or heading does not exist.
 *
 * @param {string} file absolute path of the document
 * @param {string} text
 * @returns {string[]}
 */
export function brokenLinks(file, text) {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '')
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  return links.filter((link) => {
    if (/^[a-z]+:/i.test(link)) return false
    const [path = '', heading] = link.split('#')
    const target = path === '' ? file : resolve(dirname(file), path)
    if (!existsSync(target)) return true
    if (heading === undefined) return false
    const linked = target === file ? text : readFileSync(target, 'utf8')
    return ![...linked.matchAll(/^#+ (.*)$/gm)].some(([, title = '']) => slug(title) === heading)
  })
}

/** The anchor that Git hosts give a heading. @param {string} title */
const slug = (title) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
