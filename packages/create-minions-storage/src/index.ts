import { main as create } from 'create-minions-plugin'

/** Runs `npm create minions-storage <folder>`, and resolves to the exit code. */
export function main(argv: readonly string[]): Promise<number> {
  return create('storage', argv)
}
