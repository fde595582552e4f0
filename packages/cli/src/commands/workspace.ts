import type { Cli } from '../cli.js'
import type { Command } from '../program/command.js'
import { registerFolder } from './workspace/folder.js'
import { registerKeeping } from './workspace/keeping.js'
import { registerRules } from './workspace/rules.js'

export function register(program: Command, cli: Cli): void {
  const workspace = program.command('workspace')
  registerKeeping(workspace, cli)
  registerRules(workspace, cli)
  registerFolder(workspace, cli)
}
