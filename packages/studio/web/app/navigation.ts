import { type LinkProps, linkOptions } from '@tanstack/react-router'
import { useOperations } from '../data/operations.ts'

/** A place in the navigation; shown if the key may run at least one of the operations behind it. */
export interface Place {
  readonly title: string
  readonly to: NonNullable<LinkProps['to']>
  /** Beginning of the names of the operations behind it; a place without one is always shown. */
  readonly areas?: readonly string[]
}

const PLACES: readonly Place[] = [
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

/** The places that the key of the page has any use for. */
export function usePlaces(): readonly Place[] {
  const { data: operations = [] } = useOperations()
  const has = (area: string) => operations.some(({ name }) => name.startsWith(`${area}.`))
  return PLACES.filter(({ areas }) => areas === undefined || areas.some(has))
}
