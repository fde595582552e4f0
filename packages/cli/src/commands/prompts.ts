import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { registerExchange } from './prompts/exchange.js'
import { registerTesting } from './prompts/testing.js'
import { registerVariables } from './prompts/variables.js'
import { registerVersions } from './prompts/versions.js'
import { registerWriting } from './prompts/writing.js'

export function register(program: Command, cli: Cli): void {
  const prompts = program.command('prompts')
  registerWriting(prompts, cli)
  registerVersions(prompts, cli)
  registerVariables(prompts, cli)
  registerTesting(prompts, cli)
  registerExchange(prompts, cli)
}
