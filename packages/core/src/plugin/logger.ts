/** Facts that go with a line of the log. */
export type LogFields = Readonly<Record<string, unknown>>

/** Structured logging, as plugins and the host use it. */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** A logger whose lines all carry these facts. */
  child(fields: LogFields): Logger
}

/** Logs nothing; the default. */
export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLogger,
}
