import type { Cli } from '../cli.js'
import type { CommandBuilder, OptionsOf } from '../program/command.js'
import { UsageError } from '../program/usage-error.js'

/** Artifacts are read within one tenant, so commands that read them take a tenant. */
export function tenantOption<A extends unknown[], O>(command: CommandBuilder<A, O>) {
  return command.option('--tenant <id>', 'whose missions; or the environment variable MINIONS_TENANT')
}

export type TenantOption = OptionsOf<typeof tenantOption>

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
