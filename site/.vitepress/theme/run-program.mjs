import * as contracts from '@minions/colony-contracts'
import * as core from '@minions/core'
import * as memory from '@minions/core/memory'
import * as prompts from '@minions/prompts'

const modules = {
  '@minions/core': core,
  '@minions/core/memory': memory,
  '@minions/prompts': prompts,
  '@minions/colony-contracts': contracts,
}

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
  const console = { log: (...values) => printed.push(values.map(shown).join(' ')) }
  const body = text.replace(
    /^import \{([^}]*)\} from '([^']+)'$/gm,
    (_, names, name) => `const {${names.replaceAll(' as ', ': ')}} = load(${JSON.stringify(name)})`,
  )
  const load = (name) => {
    if (modules[name]) return modules[name]
    throw new Error(`The playground has no ${name}; it has ${Object.keys(modules).join(', ')}.`)
  }
  try {
    const AsyncFunction = (async () => {}).constructor
    await new AsyncFunction('console', 'load', body)(console, load)
  } catch (error) {
    printed.push(error?.code ? `${error.code}: ${error.message}` : String(error))
  }
  return printed.join('\n')
}

const shown = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))
