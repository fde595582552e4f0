import { basename } from 'node:path'
import type { Cli } from './cli.js'

/** A command line that works as it stands, called as this one was, with the same store unless another is given. */
export function commandLine(cli: Cli, words: readonly string[], storage = cli.options.storage): string {
  const all = storage === undefined ? words : [...words, '--storage', storage]
  return [invocation(cli), ...all.map(quoted)].join(' ')
}

function invocation(cli: Cli): string {
  if (cli.env.npm_execpath !== undefined) return 'npx minions'
  const script = process.argv[1] ?? 'minions'
  return basename(script) === 'minions' ? 'minions' : `node ${quoted(script)}`
}

/** As a shell takes it for one word. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
