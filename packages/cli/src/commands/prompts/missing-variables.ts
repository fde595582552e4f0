import { isMinionsError, MinionsError, nearestName } from '@minions/core'
import type { PromptMinion, PromptsErrorCode } from '@minions/prompts'
import type { Cli } from '../../cli.js'
import { note, oneLine } from '../../output/output.js'

/** The error for missing variables in terms of the command line: add `--var`, or fix a misspelt name. */
export async function withFlags(
  error: unknown,
  prompt: () => Promise<PromptMinion>,
  given: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  if (!isMinionsError<PromptsErrorCode>(error, 'VARIABLES_MISSING')) return error
  const known = (await prompt()).fields.variables ?? []
  const { missingVariables } = error.details as { readonly missingVariables: readonly string[] }
  const flags = missingVariables.map((name) => `--var ${name}=…`).join(' ')
  const guesses = Object.keys(given).flatMap((name) => {
    const nearest = known.includes(name) ? undefined : nearestName(name, missingVariables)
    return nearest === undefined ? [] : [` "${oneLine(name)}" was given; did you mean "${nearest}"?`]
  })
  const what = missingVariables.length === 1 ? 'a variable has' : `${missingVariables.length} variables have`
  return new MinionsError(
    error.code,
    `The prompt cannot be rendered: ${what} no value. Add ${flags}, or --no-strict to leave placeholders as they are.${guesses.join('')}`,
    { details: error.details, cause: error },
  )
}

/** Warns about variables that a prompt does not have: most likely they are misspelt. */
export function warnOfUnknownVariables(cli: Cli, prompt: PromptMinion, given: Readonly<Record<string, unknown>>): void {
  const known = prompt.fields.variables
  if (known === undefined) return
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue
    const nearest = nearestName(name, known)
    const has = known.length === 0 ? 'it has none.' : `it has ${known.join(', ')}.`
    note(
      cli,
      `The prompt has no variable "${oneLine(name)}"; ${nearest === undefined ? has : `did you mean "${nearest}"?`}`,
    )
  }
}
