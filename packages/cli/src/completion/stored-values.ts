import { builtinTypes } from '@minions/core/types'
import { prompts } from '@minions/prompts'
import { type Argument, type Command, Option } from 'commander'
import { withApp } from '../app/app.js'
import type { Cli } from '../cli.js'
import type { Suggest, Suggestion } from './completion-tree.js'

/** Commands whose first argument names a minion. */
const OF_MINIONS: ReadonlySet<string> = new Set(['get', 'update', 'delete', 'purge', 'open', 'tree', 'link'])

/** Maximum number of minions that a shell is offered: those changed last. */
const MOST = 50

interface StoredValues {
  readonly types: readonly Suggestion[]
  readonly minions: readonly Suggestion[]
}

/** Suggests choices, types and minions, for the command that the command line names. */
export async function suggestFrom(cli: Cli, command: Command | undefined): Promise<Suggest> {
  const { types, minions } = await storedValues(cli, command)
  return (owner, part) => {
    if (part.argChoices) return part.argChoices.map((value) => ({ value, description: '' }))
    if (owner !== command) return []
    if (takesType(part)) return types
    return takesMinion(owner, part) ? minions : []
  }
}

/** Read only if the command needs it. An unreadable store must not disturb the user's typing. */
async function storedValues(cli: Cli, command: Command | undefined): Promise<StoredValues> {
  const builtin = builtinTypes.map(({ slug, name }) => ({ value: slug, description: name }))
  const parts = command === undefined ? [] : [...command.registeredArguments, ...command.options]
  const isNeeded = parts.some((part) => takesType(part) || (command !== undefined && takesMinion(command, part)))
  if (!isNeeded) return { types: builtin, minions: [] }
  try {
    return await withApp(cli, [prompts()], async (app) => {
      const { items } = await app.find({ limit: MOST, orderBy: [{ field: 'updatedAt', direction: 'desc' }] })
      return {
        types: app.types.list().map(({ slug, name }) => ({ value: slug, description: name })),
        minions: items.map(({ id, title }) => ({ value: id, description: title })),
      }
    })
  } catch {
    return { types: builtin, minions: [] }
  }
}

function takesType(part: Argument | Option): boolean {
  if (part.argChoices) return false
  return part instanceof Option ? part.long === '--type' : part.name() === 'type'
}

function takesMinion(command: Command, part: Argument | Option): boolean {
  return !(part instanceof Option) && OF_MINIONS.has(command.name()) && command.parent?.parent === null
}
