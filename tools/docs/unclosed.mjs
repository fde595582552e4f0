// @ts-check
import { readSnippets } from './snippets.mjs'

/** What must be closed: the names that documents give to what they open. */
const OPENED =
  /^(?:export )?const (app|minions|manager) = (?:await (?:createMinions|Minions\.open)|new SubagentManager)\(/m

/**
 * The lines of snippets that open an app, a client or a manager and close it nowhere, or only where nothing went wrong.
 *
 * @param {string} text
 * @returns {number[]}
 */
export function unclosedSnippets(text) {
  return readSnippets(text)
    .filter(({ mark, code }) => {
      const name = OPENED.exec(code)?.[1]
      if (mark === 'test' || name === undefined) return false
      return !new RegExp(`\\bfinally \\{[^}]*\\b${name}\\.(?:close|shutdown)\\(\\)`).test(code)
    })
    .map(({ line }) => line)
}
