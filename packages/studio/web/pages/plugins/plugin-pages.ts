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

export function usePluginPages(): readonly PluginPageFacts[] {
  const can = useCan()
  const { data } = useCall<readonly PluginPageFacts[]>('studio.pages', {}, { enabled: can('studio.pages') })
  return data ?? NONE
}
