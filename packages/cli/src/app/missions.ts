import type { Command } from 'commander'
import type { Cli } from '../cli.js'
import { UsageError } from '../program/usage-error.js'

export interface TenantOption {
  readonly tenant?: string
}

/** Artifacts are read within one tenant, so commands that read them take a tenant. */
export function withTenant(command: Command): Command {
  return command.option('--tenant <id>', 'whose missions; or the environment variable MINIONS_TENANT')
}

export function tenantOf(cli: Cli, { tenant }: TenantOption): string {
  const id = tenant ?? cli.env.MINIONS_TENANT
  if (id) return id
  throw new UsageError("required option '--tenant <id>' not specified, and MINIONS_TENANT is not set")
}

/**
 * Runs a mission so that Ctrl-C only interrupts it, and says how to continue: once the app is closed, any process can
 * resume it.
 */
export function resumable<T>(cli: Cli, resume: string, run: () => Promise<T>): Promise<T> {
  return cli.hinting(`the mission can be resumed with: ${resume}`, run)
}
