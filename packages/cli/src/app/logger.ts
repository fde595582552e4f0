import { type LogFields, type Logger, silentLogger } from '@minions/core/plugin'
import type { Cli } from '../cli.js'
import { note, oneLine } from '../output/output.js'

/**
 * The logger of an app, which writes to standard error: everything with `--verbose`, otherwise `warnings` and errors if
 * asked to, as by commands that run unattended.
 */
export function cliLogger(cli: Cli, { warnings = false } = {}): { readonly logger?: Logger } {
  if (cli.options.verbose) return { logger: stderrLogger(cli) }
  return warnings ? { logger: warningsOf(stderrLogger(cli)) } : {}
}

function warningsOf({ warn, error, child }: Logger): Logger {
  return { ...silentLogger, warn, error, child: (fields) => warningsOf(child(fields)) }
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
