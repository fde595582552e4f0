// @ts-check
import { parseSync } from 'oxc-parser'

/** @typedef {{ text: string, line: number }} Text a piece of prose and the line on which it begins */

/**
 * The prose of a Markdown document: everything but code and generated parts.
 *
 * @param {string} text
 * @returns {Text[]}
 */
export function markdownTexts(text) {
  const blank = (/** @type {string} */ part) => part.replace(/[^\n]/g, ' ')
  const prose = text
    .replace(/^---\n[\s\S]*?^---$/m, (front, /** @type {number} */ index) => (index === 0 ? blank(front) : front))
    .replace(/^```[\s\S]*?^```$/gm, blank)
    .replace(/<!-- ([\w:.-]+) -->\n[\s\S]*?<!-- \/\1 -->/g, blank)
    .replace(/`[^`\n]*`/g, blank)
  return [{ text: prose, line: 1 }]
}

/**
 * The prose of a TypeScript file: its comments, and the strings that are sentences, such as messages and help.
 *
 * @param {string} file
 * @param {string} text
 * @returns {Text[]}
 */
export function sourceTexts(file, text) {
  const { program, comments } = parseSync(file, text)
  const at = (/** @type {number} */ start) => text.slice(0, start).split('\n').length
  return [
    ...comments.map(({ value, start }) => ({
      text: value.replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length)),
      line: at(start),
    })),
    ...sentences(program).map(({ value, start }) => ({ text: value, line: at(start) })),
  ]
}

/**
 * @param {unknown} node
 * @returns {{ value: string, start: number }[]}
 */
function sentences(node) {
  if (Array.isArray(node)) return node.flatMap(sentences)
  if (typeof node !== 'object' || node === null) return []
  const { type, value, start } = /** @type {Record<string, any>} */ (node)
  const text = type === 'Literal' ? value : type === 'TemplateElement' ? value?.cooked : undefined
  const own = typeof text === 'string' && /\w+ \w+ \w+/.test(text) ? [{ value: text, start }] : []
  return [...own, ...Object.values(node).flatMap(sentences)]
}
