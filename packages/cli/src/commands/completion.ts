import { RootCommand } from '@bomb.sh/tab'
import { Argument } from 'commander'
import type { Cli } from '../cli.js'
import { completionTree } from '../completion/completion-tree.js'
import { suggestFrom } from '../completion/stored-values.js'
import { wordsOf } from '../program/catalogue.js'
import type { Command } from '../program/command.js'
import { createProgram } from '../program/program.js'

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const

/** Bash has this function only if the package bash-completion is installed. */
const BASH_WORDS = `if ! declare -F _get_comp_words_by_ref >/dev/null; then
  _get_comp_words_by_ref() {
    cword=$COMP_CWORD words=("\${COMP_WORDS[@]}") cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  }
fi`

export function register(program: Command, cli: Cli): void {
  program
    .command('completion')
    .examples(
      'completion bash >> ~/.bashrc',
      'completion zsh > ~/.zfunc/_minions',
      'completion fish > ~/.config/fish/completions/minions.fish',
      'completion powershell >> $PROFILE',
    )
    .addArgument(new Argument('<shell>', 'your shell').choices(SHELLS))
    .action((shell: (typeof SHELLS)[number]) => printScript(cli, shell))
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .allowExcessArguments()
    .action((words: string[]) => answer(words))
}

function printScript(cli: Cli, shell: (typeof SHELLS)[number]): void {
  if (shell === 'bash') cli.stdout.write(`${BASH_WORDS}\n{\n`)
  new RootCommand().setup('minions', 'minions', shell)
  // The script declares constants, which fail in a shell that sources it twice.
  if (shell === 'bash') cli.stdout.write('} 2>/dev/null\n')
}

/** Prints completions of the last word in the format of the shell scripts. */
async function answer(words: readonly string[]): Promise<void> {
  const before = words.slice(0, -1)
  const { program, cli } = await createProgram(before)
  program.parseOptions(before)
  completionTree(program, await suggestFrom(cli, commandAt(program, before))).parse([...words])
}

function commandAt(program: Command, words: readonly string[]): Command | undefined {
  let command: Command | undefined
  for (const word of wordsOf(words)) {
    const next = (command ?? program).commands.find((child) => child.name() === word)
    if (next === undefined) break
    command = next
  }
  return command
}
