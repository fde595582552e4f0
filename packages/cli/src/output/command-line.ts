import { basename } from 'node:path'
import type { Cli } from '../cli.js'

/** A complete command line, invoked as this one was, with the same store by default. */
export function commandLine(
  cli: Cli,
  words: readonly string[],
  storage: string | undefined = cli.options.storage,
): string {
  return callAs(cli, storage === undefined ? words : [...words, '--storage', storage])
}

/** The same with the store of the configuration. */
export function callAs(cli: Cli, words: readonly string[]): string {
  return [invocation(cli), ...words.map(quoted)].join(' ')
}

function invocation(cli: Cli): string {
  if (cli.env.npm_execpath !== undefined) return 'npx minions'
  const script = process.argv[1] ?? 'minions'
  return basename(script) === 'minions' ? 'minions' : `node ${quoted(script)}`
}

/** Quoted as one word for a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
