import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { registerDatasets } from './prompts/datasets.js'
import { registerExchange } from './prompts/exchange.js'
import { registerFiles } from './prompts/files.js'
import { registerGate } from './prompts/gate.js'
import { registerLabels } from './prompts/labels.js'
import { registerTesting } from './prompts/testing.js'
import { registerVariables } from './prompts/variables.js'
import { registerVersions } from './prompts/versions.js'
import { registerWriting } from './prompts/writing.js'

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
}
