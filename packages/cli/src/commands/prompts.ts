import { prompts as promptsPlugin } from '@minions/prompts'
import type { Cli } from '../cli.js'
import { addOperationCommand } from '../operations/operation-command.js'
import { operationsOf } from '../operations/operations-of.js'
import type { Command } from '../program/command.js'
import { registerDatasets } from './prompts/datasets.js'
import { registerExchange } from './prompts/exchange.js'
import { registerFiles } from './prompts/files.js'
import { registerGate } from './prompts/gate.js'
import { registerLabels } from './prompts/labels.js'
import { registerTesting } from './prompts/testing.js'
import { registerVariables } from './prompts/variables.js'
import { registerVersions } from './prompts/versions.js'
import { registerWriting } from './prompts/writing.js'

/** Operations that no command above does, with an example. Others of the area have a command too, which is not listed. */
const LISTED = new Map([
  ['prompts.usedBy', 'prompts used-by --prompt tone'],
  [
    'prompts.recordOutcome',
    `prompts record-outcome --prompt greeting --label production --key user-1 --scores '{"helpful":100}' --passed`,
  ],
  ['prompts.testsFromExecutions', 'prompts tests-from-executions --prompt greeting --skill_name answer'],
])

export function register(program: Command, cli: Cli): void {
  const prompts = program.command('prompts')
  registerWriting(prompts, cli)
  registerVersions(prompts, cli)
  registerLabels(prompts, cli)
  registerVariables(prompts, cli)
  registerTesting(prompts, cli)
  registerGate(prompts, cli)
  registerDatasets(prompts, cli)
  registerExchange(prompts, cli)
  registerFiles(prompts, cli)
  for (const operation of operationsOf([promptsPlugin()])) {
    const example = LISTED.get(operation.name)
    if (example !== undefined) addOperationCommand(prompts, cli, operation, example)
  }
}
