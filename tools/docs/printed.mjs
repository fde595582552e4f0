// @ts-check
// What a snippet says it prints: the comment behind `console.log(…)`, or else the comment lines directly below it.
// White space does not count, and `…` stands for any text.

import { stripVTControlCharacters } from 'node:util'

/** @typedef {{ line: number, text: string }} Claim `line` counts from 0 */

/**
 * @param {string} code
 * @returns {Claim[]}
 */
function claimsOf(code) {
  const calls = code.matchAll(/^.*\bconsole\.log\(.*\)(?: \/\/ (.+)|((?:\n *\/\/ .+)+))$/gm)
  return [...calls].map(({ 1: behind, 2: below = '', index }) => ({
    line: code.slice(0, index).split('\n').length - 1,
    text: behind ?? below.replace(/^ *\/\/ /gm, ''),
  }))
}

/**
 * The same code, in which each `console.log` begins with the number of its line, between control characters.
 *
 * @param {string} code
 */
export function numberPrints(code) {
  const lines = code
    .split('\n')
    .map((text, line) => text.replaceAll('console.log(', `console.log('\\x1e${line}\\x1f', `))
  return lines.join('\n')
}

/**
 * Compares what the comments of a snippet say with what its numbered code printed.
 *
 * @param {string} code as it stands in the document
 * @param {string} stdout
 * @returns {string[]} a problem for each comment that is wrong
 */
export function wrongClaims(code, stdout) {
  /** @type {Map<number, string>} */
  const printed = new Map()
  // Colours are no part of what a comment can say; task runners ask for them.
  for (const part of stripVTControlCharacters(stdout).split('\x1e').slice(1)) {
    const [line, text = ''] = part.split('\x1f')
    printed.set(Number(line), `${printed.get(Number(line)) ?? ''}${text}`)
  }
  return claimsOf(code).flatMap(({ line, text }) => {
    const actual = printed.get(line)
    if (actual !== undefined && pattern(text).test(squeeze(actual))) return []
    const prints = actual === undefined ? 'nothing' : `"${squeeze(actual)}"`
    return [`says it prints "${squeeze(text)}", but prints ${prints}`]
  })
}

/** @param {string} text */
const squeeze = (text) => text.replace(/\s+/g, ' ').trim()

/** @param {string} claim */
function pattern(claim) {
  const parts = squeeze(claim)
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}
