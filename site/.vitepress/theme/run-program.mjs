// @ts-check
import * as contracts from '@minions/colony-contracts'
import * as core from '@minions/core'
import * as memory from '@minions/core/memory'
import * as types from '@minions/core/types'
import * as prompts from '@minions/prompts'

/** @type {ReadonlyMap<string, object>} */
const modules = new Map(
  Object.entries({
    '@minions/core': core,
    '@minions/core/memory': memory,
    '@minions/core/types': types,
    '@minions/prompts': prompts,
    '@minions/colony-contracts': contracts,
  }),
)

/**
 * Runs a program that imports our packages, and resolves to what it printed. Imports become lookups, because a page has no
 * module of that name.
 *
 * @param {string} text
 * @returns {Promise<string>}
 */
export async function runProgram(text) {
  /** @type {string[]} */
  const printed = []
  const log = (/** @type {unknown[]} */ ...values) => printed.push(values.map(shown).join(' '))
  const console = { log, info: log, warn: log, error: log }
  const body = text.replace(
    /^import (?:\* as (\w+)|\{([^}]*)\}) from (['"])([^'"]+)\3;?[ \t]*$/gm,
    (_, all, names, _quote, name) =>
      `const ${all ?? `{${names.replaceAll(' as ', ': ')}}`} = load(${JSON.stringify(name)})`,
  )
  try {
    await new Function('console', 'load', `return (async () => {${body}\n})()`)(console, load)
  } catch (error) {
    printed.push(core.isMinionsError(error) ? `${error.code}: ${error.message}` : String(error))
  }
  return printed.join('\n')
}

/** @param {string} name */
function load(name) {
  const found = modules.get(name)
  if (found) return found
  throw new Error(`The playground has no ${name}; it has ${[...modules.keys()].join(', ')}.`)
}

/** @param {unknown} value */
const shown = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))
