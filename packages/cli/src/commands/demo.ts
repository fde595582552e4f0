import type { Cli } from '../cli.js'
import { addCommand, type Command } from '../program/command.js'

export function register(program: Command, cli: Cli): void {
  addCommand(program, 'demo')
    .examples('demo', 'demo ./my-first-mission')
    .argument('[folder]', 'a new folder for the store (default: a temporary one)')
    .option('--model <model>', 'let a model play the roles, such as openai-compatible:http://127.0.0.1:11434/v1#llama3')
    .action(async (folder, { model }) => {
      const { playDemo } = await import('./demo/play-demo.js')
      await playDemo(cli, folder, model)
    })
}
