import type { Command } from 'commander'

/**
 * What a command does if the store does not exist: `create` creates it, `optional` does without unless one was named,
 * and `existing`, the default, fails.
 */
export type StoreNeed = 'create' | 'optional' | 'existing'

const needs = new WeakMap<Command, StoreNeed>()

/** Marks a command that may create a store. */
export function createsStore(command: Command): Command {
  needs.set(command, 'create')
  return command
}

/** Marks a command that can work without a store, for built-in types for example. */
export function worksWithoutStore(command: Command): Command {
  needs.set(command, 'optional')
  return command
}

export function storeNeedOf(command: Command | undefined): StoreNeed {
  return (command && needs.get(command)) ?? 'existing'
}
