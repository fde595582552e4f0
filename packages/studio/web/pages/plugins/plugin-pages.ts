import { useCan } from '../../data/operations.ts'
import { useCall } from '../../data/use-call.ts'

export interface PluginPageFacts {
  readonly id: string
  readonly title: string
  readonly description?: string
  readonly plugin: string
  readonly operation?: string
  readonly module?: string
}

const NONE: readonly PluginPageFacts[] = []

/** Pages that plugins add, as far as the key may see them. */
export function usePluginPages(): readonly PluginPageFacts[] {
  return usePluginPagesCall().data ?? NONE
}

export function usePluginPagesCall() {
  const can = useCan()
  return useCall<readonly PluginPageFacts[]>('studio.pages', {}, { enabled: can('studio.pages') })
}
