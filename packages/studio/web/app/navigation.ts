import { type LinkProps, linkOptions } from '@tanstack/react-router'
import { useOperations } from '../data/operations.ts'

/** An item of the navigation; shown if the key may run at least one of the operations behind it. */
export interface NavigationItem {
  readonly title: string
  readonly to: NonNullable<LinkProps['to']>
  /** Beginning of the names of the operations behind it; an item without one is always shown. */
  readonly areas?: readonly string[]
}

const ITEMS: readonly NavigationItem[] = [
  { title: 'Overview', ...linkOptions({ to: '/' }) },
  { title: 'Objects', ...linkOptions({ to: '/objects' }), areas: ['objects'] },
  { title: 'Types', ...linkOptions({ to: '/types' }), areas: ['types'] },
  { title: 'Prompts', ...linkOptions({ to: '/prompts' }), areas: ['prompts'] },
  { title: 'Missions', ...linkOptions({ to: '/missions' }), areas: ['missions'] },
  { title: 'Inbox', ...linkOptions({ to: '/inbox' }) },
  { title: 'Workspaces', ...linkOptions({ to: '/workspaces' }), areas: ['workspaces'] },
  { title: 'Skills', ...linkOptions({ to: '/skills' }), areas: ['skills'] },
  { title: 'Agents', ...linkOptions({ to: '/agents' }), areas: ['agents'] },
  { title: 'Messages', ...linkOptions({ to: '/messages' }), areas: ['messages'] },
  { title: 'Operations', ...linkOptions({ to: '/operations' }) },
]

/** The items that the key of the page has any use for. */
export function useNavigationItems(): readonly NavigationItem[] {
  const { data: operations = [] } = useOperations()
  const has = (area: string) => operations.some(({ name }) => name.startsWith(`${area}.`))
  return ITEMS.filter(({ areas }) => areas === undefined || areas.some(has))
}
