import type { NavigateOptions } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { useCan, useOperations } from '../../data/operations.ts'
import type { Minion } from '../../data/records.ts'
import { type Page, useCall } from '../../data/use-call.ts'
import { usePluginPages } from '../../pages/plugins/plugin-pages.ts'
import { usePlaces } from '../navigation.ts'

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
  const places = usePlaces()
  const pages = usePluginPages()
  const { data: operations = [] } = useOperations()
  const searched = useDeferredValue(text.trim())
  const { data: found } = useCall<Page<Minion>>(
    'objects.search',
    { text: searched, limit: MOST },
    { enabled: searched !== '' && can('objects.search'), keepPrevious: true },
  )
  const objects = searched === '' ? [] : (found?.items ?? [])
  return [
    ...places
      .filter(({ title }) => fits(title))
      .map(
        ({ title, to }): PaletteItem => ({
          key: `page ${title}`,
          title,
          kind: 'page',
          link: { to } as NavigateOptions,
        }),
      ),
    ...pages
      .filter(({ title }) => fits(title))
      .map(
        ({ id, title }): PaletteItem => ({
          key: `plugin page ${id}`,
          title,
          kind: 'page',
          link: { to: '/pages/$id', params: { id } },
        }),
      ),
    ...objects.map(
      ({ id, title }): PaletteItem => ({
        key: `object ${id}`,
        title,
        kind: 'object',
        link: { to: '/objects/$id', params: { id } },
      }),
    ),
    ...(words.length === 0 ? [] : operations)
      .filter(({ name, summary }) => fits(`${name} ${summary}`))
      .slice(0, MOST)
      .map(
        ({ name, summary }): PaletteItem => ({
          key: `operation ${name}`,
          title: summary,
          kind: name,
          link: { to: '/operations/$name', params: { name } },
        }),
      ),
  ]
}
