import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Answer, type Assertions, assertionJudge, type Evaluate, hasAssertions } from '@minions/prompts'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import type { CommandBuilder, OptionsOf } from '../program/command.js'
import { collect, given, wholeNumber } from '../program/options.js'
import { readContent, readObject } from './content.js'

export function evaluationOptions<A extends unknown[], O>(command: CommandBuilder<A, O>) {
  return command
    .option('--evaluator <module>', 'a module whose default export judges (renderedPrompt, { test, version, signal })')
    .option('--answer <module>', 'a module whose default export answers (renderedPrompt, { test, version, signal })')
    .option('--equals <text>', 'the answer, or else the rendered prompt, must be this; text, @file or -')
    .option('--contains <text>', 'it must contain this; may be repeated', collect)
    .option('--not-contains <text>', 'it must not contain this; may be repeated', collect)
    .option('--matches <pattern>', 'it must match this; may be repeated', collect)
    .option('--min-length <n>', 'minimum number of characters', wholeNumber(0))
    .option('--max-length <n>', 'maximum number of characters', wholeNumber(0))
    .option('--json-schema <json>', 'it must be JSON that matches this schema; @file or -')
}

export type EvaluationOptions = OptionsOf<typeof evaluationOptions>

export async function readEvaluation(cli: Cli, options: EvaluationOptions): Promise<Evaluate | undefined> {
  if (options.evaluator !== undefined) return importFunction<Evaluate>(cli, options.evaluator)
  const assertions = await readAssertions(cli, options)
  return assertions && assertionJudge(assertions)
}

/** The module that answers rendered prompts; undefined without one. */
export async function readAnswer(cli: Cli, { answer }: EvaluationOptions): Promise<Answer | undefined> {
  return answer === undefined ? undefined : importFunction<Answer>(cli, answer)
}

export async function readAssertions(cli: Cli, options: EvaluationOptions): Promise<Assertions | undefined> {
  const { contains, notContains, matches, minLength, maxLength } = options
  const equals = options.equals === undefined ? undefined : await readContent(cli, options.equals)
  const jsonSchema =
    options.jsonSchema === undefined ? undefined : await readObject(cli, options.jsonSchema, '--json-schema')
  const assertions = given({ equals, contains, notContains, matches, minLength, maxLength, jsonSchema })
  return hasAssertions(assertions) ? assertions : undefined
}

/** The default export of a user's module, a function. Throws `MODULE_UNUSABLE`. */
export async function importFunction<T extends (...args: never[]) => unknown>(cli: Cli, path: string): Promise<T> {
  const loaded = await importModule(cli, path)
  if (typeof loaded.default === 'function') return loaded.default as T
  throw cliError('MODULE_UNUSABLE', `${path} must have a function as its default export.`)
}

/** Imports a user's module. Throws `MODULE_UNUSABLE`. */
export async function importModule(cli: Cli, path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(pathToFileURL(resolve(cli.cwd, path)).href)
  } catch (cause) {
    throw cliError('MODULE_UNUSABLE', `${path} cannot be imported: ${(cause as Error).message}`, { cause })
  }
}
