import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
  retainSearchParams,
} from '@tanstack/react-router'
import { prefetchCall, prefetchRows } from '../data/use-call.ts'
import { objectsQuery } from '../pages/objects/objects-query.ts'
import { OverviewPage } from '../pages/overview/overview-page.tsx'
import { Editor } from '../parts/code/editor.tsx'
import { Graph } from '../parts/graph/graph.tsx'
import { PageError } from './page-error.tsx'
import { textOf } from './search.ts'
import { NotFound, Shell } from './shell.tsx'

const root = createRootRoute({
  validateSearch: (search: Record<string, unknown>) => textOf(search, ['tenant']),
  // Links within a tenant stay there.
  search: { middlewares: [retainSearchParams(['tenant'])] },
  component: Shell,
  notFoundComponent: NotFound,
})

/** A page that is loaded when it is first opened. Its address has these `names` behind the `?`, if any. */
const page = <const Path extends string, Module extends Record<string, unknown>, const Name extends string = never>(
  path: Path,
  load: () => Promise<Module>,
  component: keyof Module & string,
  names: readonly Name[] = [],
) =>
  createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: (search: Record<string, unknown>) => textOf(search, names),
    component: lazyRouteComponent(load, component) as RouteComponent,
  })

const pages = [
  createRoute({ getParentRoute: () => root, path: '/', component: OverviewPage }),
  createRoute({
    getParentRoute: () => root,
    path: '/objects',
    validateSearch: (search) => textOf(search, ['type', 'q', 'status', 'tag', 'order', 'deleted']),
    loaderDeps: ({ search }) => search,
    loader: ({ deps }) => {
      prefetchRows(...objectsQuery(deps))
      prefetchCall('types.list')
    },
    component: lazyRouteComponent(() => import('../pages/objects/objects-page.tsx'), 'ObjectsPage'),
  }),
  page('/objects/new', () => import('../pages/objects/new-object-page.tsx'), 'NewObjectPage', ['type']),
  createRoute({
    getParentRoute: () => root,
    path: '/objects/$id',
    validateSearch: (search) => textOf(search, ['view']),
    loader: ({ params }) => prefetchCall('objects.getRecord', { id: params.id }),
    component: lazyRouteComponent(() => import('../pages/objects/object-page.tsx'), 'ObjectPage'),
  }),
  page('/prompts', () => import('../pages/prompts/prompts-page.tsx'), 'PromptsPage'),
  page('/prompts/new', () => import('../pages/operations/create-page.tsx'), 'NewPromptPage'),
  createRoute({
    getParentRoute: () => root,
    path: '/prompts/$id',
    validateSearch: (search) => textOf(search, ['view', 'from', 'to']),
    loader: ({ params }) => {
      Editor.preload()
      prefetchCall('prompts.get', { prompt: params.id })
      prefetchCall('prompts.history', { prompt: params.id })
    },
    component: lazyRouteComponent(() => import('../pages/prompts/prompt-page.tsx'), 'PromptPage'),
  }),
  page('/missions', () => import('../pages/missions/missions-page.tsx'), 'MissionsPage', ['status']),
  page('/missions/new', () => import('../pages/missions/new-mission-page.tsx'), 'NewMissionPage'),
  createRoute({
    getParentRoute: () => root,
    path: '/missions/$id',
    validateSearch: (search) => textOf(search, ['view', 'task', 'artifact']),
    loader: ({ params }) => {
      Graph.preload()
      prefetchCall('missions.status', { mission: params.id })
    },
    component: lazyRouteComponent(() => import('../pages/missions/mission-page.tsx'), 'MissionPage'),
  }),
  page('/inbox', () => import('../pages/inbox/inbox-page.tsx'), 'InboxPage', ['view', 'status']),
  page('/types', () => import('../pages/types/types-page.tsx'), 'TypesPage'),
  page('/types/new', () => import('../pages/operations/create-page.tsx'), 'NewTypePage'),
  page('/types/$slug', () => import('../pages/types/type-page.tsx'), 'TypePage'),
  page('/workspaces', () => import('../pages/workspaces/workspaces-page.tsx'), 'WorkspacesPage'),
  page('/workspaces/new', () => import('../pages/operations/create-page.tsx'), 'NewWorkspacePage'),
  createRoute({
    getParentRoute: () => root,
    path: '/workspaces/$id',
    validateSearch: (search) => textOf(search, ['view', 'session']),
    loader: ({ params }) => {
      Graph.preload()
      prefetchCall('workspaces.get', { workspace: params.id })
    },
    component: lazyRouteComponent(() => import('../pages/workspaces/workspace-page.tsx'), 'WorkspacePage'),
  }),
  page('/skills', () => import('../pages/skills/skills-page.tsx'), 'SkillsPage'),
  page('/skills/$name', () => import('../pages/skills/skill-page.tsx'), 'SkillPage'),
  page('/agents', () => import('../pages/skills/agents-page.tsx'), 'AgentsPage', ['state']),
  page('/agents/$id', () => import('../pages/skills/agent-page.tsx'), 'AgentPage'),
  page('/messages', () => import('../pages/skills/messages-page.tsx'), 'MessagesPage'),
  page('/executions/$id', () => import('../pages/skills/execution-page.tsx'), 'ExecutionPage'),
  page('/operations', () => import('../pages/operations/operations-page.tsx'), 'OperationsPage', ['q', 'area']),
  page('/operations/$name', () => import('../pages/operations/operation-page.tsx'), 'OperationPage', ['input']),
  page('/pages/$id', () => import('../pages/plugins/plugin-page.tsx'), 'PluginPage'),
] as const

export const router = createRouter({
  routeTree: root.addChildren(pages),
  basepath: '/studio',
  defaultPreload: 'intent',
  defaultErrorComponent: PageError,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
