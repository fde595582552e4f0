import type { LogFields, Logger } from '@minions/core/plugin'
import type { Cli } from '../cli.js'
import { note, oneLine } from '../output/output.js'

/** The logger of an app: with `--verbose` it writes to standard error, otherwise there is none. */
export function verboseLogger(cli: Cli): { readonly logger?: Logger } {
  return cli.options.verbose ? { logger: stderrLogger(cli) } : {}
}

/** Logs to standard error, one line each: level, message and facts. */
function stderrLogger(cli: Cli, bound: LogFields = {}): Logger {
  const line = (level: string) => (message: string, fields?: LogFields) => {
    const facts = Object.entries({ ...bound, ...fields }).filter(([, value]) => value !== undefined && value !== null)
    note(cli, oneLine([level.padEnd(5), message, ...facts.map(([name, value]) => `${name}=${fact(value)}`)].join(' ')))
  }
  return {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    child: (fields) => stderrLogger(cli, { ...bound, ...fields }),
  }
}

/** A fact without spaces, which would make it look like several. */
function fact(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(value.message)
  const text = typeof value === 'string' ? value : String(JSON.stringify(value))
  return typeof value === 'string' && /[\s"=]/.test(text) ? JSON.stringify(text) : text
}
