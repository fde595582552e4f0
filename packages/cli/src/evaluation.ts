import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { assertionEvaluator, type Evaluate, hasAssertions } from '@minions/prompts'
import type { Command } from 'commander'
import type { Cli } from './cli.js'
import { readObject } from './content.js'
import { cliError } from './errors.js'
import { collect, given, wholeNumber } from './options.js'

/** How rendered prompts may be judged on a command line. */
export interface EvaluationOptions {
  readonly evaluator?: string
  readonly contains?: string[]
  readonly matches?: string[]
  readonly maxLength?: number
  readonly jsonSchema?: string
}

export function withEvaluation(command: Command): Command {
  return command
    .option('--evaluator <module>', 'a module whose default export judges (renderedPrompt, { test, version, signal })')
    .option('--contains <text>', 'the rendered prompt must contain this; may be repeated', collect)
    .option('--matches <pattern>', 'the rendered prompt must match this; may be repeated', collect)
    .option('--max-length <n>', 'most characters of the rendered prompt', wholeNumber(0))
    .option('--json-schema <json>', 'the rendered prompt must be JSON that fits; @file or -')
}

/** The judge that the options ask for; undefined when they ask for none. */
export async function readEvaluation(cli: Cli, options: EvaluationOptions): Promise<Evaluate | undefined> {
  if (options.evaluator !== undefined) return importFunction<Evaluate>(cli, options.evaluator)
  const { contains, matches, maxLength } = options
  const jsonSchema =
    options.jsonSchema === undefined ? undefined : await readObject(cli, options.jsonSchema, '--json-schema')
  const assertions = given({ contains, matches, maxLength, jsonSchema })
  return hasAssertions(assertions) ? assertionEvaluator(assertions) : undefined
}

/** The function that a module of the user exports as its default. Throws `MODULE_UNUSABLE`. */
export async function importFunction<T extends (...args: never[]) => unknown>(cli: Cli, path: string): Promise<T> {
  const loaded = await importModule(cli, path)
  if (typeof loaded.default === 'function') return loaded.default as T
  throw cliError('MODULE_UNUSABLE', `${path} must export a function as its default.`)
}

/** Imports a module of the user. Throws `MODULE_UNUSABLE`. */
export async function importModule(cli: Cli, path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(pathToFileURL(resolve(cli.cwd, path)).href)
  } catch (cause) {
    throw cliError('MODULE_UNUSABLE', `${path} cannot be imported: ${(cause as Error).message}`, { cause })
  }
}
