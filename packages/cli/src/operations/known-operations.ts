import { nearestName } from '@minions/core'
import { clientOperations, type Operation } from '@minions/core/operations'
import { readConfiguration } from '../app/configuration.js'
import type { Cli } from '../cli.js'
import { cliError } from '../errors.js'
import { allPlugins } from './operations-app.js'
import { operationsOf } from './operations-of.js'

/** All operations. They are part of the plugins, so nothing has to be opened to know them. */
export async function knownOperations(cli: Cli): Promise<readonly Operation[]> {
  const { plugins } = await readConfiguration(cli)
  return [...clientOperations, ...operationsOf([...(await allPlugins(cli)), ...plugins.map(({ value }) => value)])]
}

/** An operation by name. Throws `NOT_FOUND` with the nearest name. */
export async function operationNamed(cli: Cli, name: string): Promise<Operation> {
  const all = await knownOperations(cli)
  const found = all.find((operation) => operation.name === name)
  if (found) return found
  const names = all.map((operation) => operation.name)
  const nearest = nearestName(name, names)
  const hint = nearest === undefined ? 'see them with: minions operations list' : `did you mean "${nearest}"?`
  throw cliError('NOT_FOUND', `There is no operation "${name.slice(0, 100)}"; ${hint}`)
}
