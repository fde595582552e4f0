import type { NavigateOptions } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { useCan, useOperations } from '../../data/operations.ts'
import type { Minion } from '../../data/records.ts'
import { type Page, useCall } from '../../data/use-call.ts'
import { usePluginPages } from '../../pages/plugins/plugin-pages.ts'
import { useNavigationItems } from '../navigation.ts'

export interface PaletteItem {
  readonly key: string
  readonly title: string
  readonly kind: string
  readonly link: NavigateOptions
}

const MOST = 8

/** What matches the text: pages first, then objects, then operations. */
export function usePaletteItems(text: string): readonly PaletteItem[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (title: string) => words.every((word) => title.toLowerCase().includes(word))
  const can = useCan()
  const navigation = useNavigationItems()
  const pages = usePluginPages()
  const { data: operations = [] } = useOperations()
  const searched = useDeferredValue(text.trim())
  const { data: found } = useCall<Page<Minion>>(
    'objects.search',
    { text: searched, limit: MOST },
    { enabled: searched !== '' && can('objects.search'), keepPrevious: true },
  )
  const objects = searched === '' ? [] : (found?.items ?? [])
  const item = (kind: string, key: string, title: string, link: NavigateOptions): PaletteItem => {
    return { key, title, kind, link }
  }
  const shownNavigation = navigation.filter(({ title }) => fits(title))
  const shownPages = pages.filter(({ title }) => fits(title))
  const shownOperations = operations.filter(({ name, summary }) => words.length > 0 && fits(`${name} ${summary}`))
  return [
    ...shownNavigation.map(({ title, to }) => item('page', `page ${title}`, title, { to } as NavigateOptions)),
    ...shownPages.map(({ id, title }) =>
      item('page', `plugin page ${id}`, title, { to: '/pages/$id', params: { id } }),
    ),
    ...objects.map(({ id, title }) => item('object', `object ${id}`, title, { to: '/objects/$id', params: { id } })),
    ...shownOperations
      .slice(0, MOST)
      .map(({ name, summary }) =>
        item(name, `operation ${name}`, summary, { to: '/operations/$name', params: { name } }),
      ),
  ]
}
