import { type Operation, operations } from '@minions/core/operations'
import type { Plugin } from '@minions/core/plugin'

export function operationsOf(plugins: readonly Pick<Plugin, 'contributes'>[]): Operation[] {
  return plugins.flatMap(({ contributes }) =>
    contributes.flatMap(([point, values]) => (point.name === operations.name ? (values as readonly Operation[]) : [])),
  )
}
