import type { Command } from 'commander'

/**
 * What a command wants of a store that does not exist: `create` makes it, `optional` does without when none was named, and
 * `existing`, which is every other command, is refused.
 */
export type StoreNeed = 'create' | 'optional' | 'existing'

const needs = new WeakMap<Command, StoreNeed>()

/** Says that a command puts the first thing into a store, and so may create it. */
export function createsStore(command: Command): Command {
  needs.set(command, 'create')
  return command
}

/** Says that a command has something to show without a store, such as built-in types. */
export function worksWithoutStore(command: Command): Command {
  needs.set(command, 'optional')
  return command
}

export function storeNeedOf(command: Command | undefined): StoreNeed {
  return (command && needs.get(command)) ?? 'existing'
}
