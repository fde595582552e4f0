import { parseArgs } from 'node:util'
import { AREAS, type ProjectArea, type ProjectStorage, STORAGES } from './choices.js'

/** A command line that cannot be understood; its message says why. */
export class UsageError extends Error {}

/** The parsed command line; missing values are prompted for, or have defaults. */
export interface Arguments {
  readonly folder?: string | undefined
  readonly storage?: ProjectStorage | undefined
  readonly areas?: readonly ProjectArea[] | undefined
  readonly model?: string | undefined
  readonly yes: boolean
  readonly install: boolean
  readonly help: boolean
}

export const USAGE = `Usage: npm create minions [folder] -- [options]

  --storage <kind>   ${STORAGES.join(', ')}; sqlite by default
  --areas <list>     ${AREAS.join(', ')}, separated by commas; missions, which include the others, by default
  --model <model>    a language model, e.g. openai-compatible:http://127.0.0.1:11434/v1#llama3
  --no-install       write the files without installing the packages
  -y, --yes          ask nothing, use the defaults
  -h, --help         show this
`

/** Reads a command line. Throws a `UsageError`. */
export function readArguments(argv: readonly string[]): Arguments {
  const { values, positionals } = parse(argv)
  if (positionals.length > 1) throw new UsageError(`There is one folder at most, not ${positionals.join(' and ')}.`)
  return {
    folder: positionals[0],
    storage: values.storage === undefined ? undefined : oneOf('--storage', values.storage, STORAGES),
    areas: values.areas?.split(',').map((area) => oneOf('--areas', area.trim(), AREAS)),
    model: values.model,
    yes: values.yes ?? false,
    install: values.install ?? true,
    help: values.help ?? false,
  }
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      allowNegative: true,
      options: {
        storage: { type: 'string' },
        areas: { type: 'string' },
        model: { type: 'string' },
        install: { type: 'boolean' },
        yes: { type: 'boolean', short: 'y' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** A value among those that are known; `what` names it in the error. */
export function oneOf<T extends string>(what: string, value: string, known: readonly T[]): T {
  const found = known.find((each) => each === value)
  if (found === undefined) throw new UsageError(`${what} is one of ${known.join(', ')}, not "${value}".`)
  return found
}
