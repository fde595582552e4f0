import { parseDocument } from 'yaml'
import { refuseNesting } from './refuse-nesting.js'

/** Maximum number of values that aliases may expand to, so that a small text cannot become a large one. */
const MAX_ALIASES = 100

/**
 * Reads one YAML document as plain data. Safe for untrusted text: deep nesting, exponential aliases and tags are
 * refused. Throws an `Error` with the problem and the line. Runs in a browser.
 */
export function parseYaml(text: string): unknown {
  refuseNesting(text)
  const document = parseDocument(text, { prettyErrors: true, stringKeys: true, schema: 'core' })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem) throw problem
  return document.toJS({ maxAliasCount: MAX_ALIASES })
}

export { refuseNesting }
