import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  retainSearchParams,
} from '@tanstack/react-router'
import { prefetchCall, prefetchRows } from '../data/use-call.ts'
import { objectsQuery } from '../pages/objects/objects-query.ts'
import { OverviewPage } from '../pages/overview/overview-page.tsx'
import { textOf } from './search.ts'
import { NotFound, Shell } from './shell.tsx'

const root = createRootRoute({
  validateSearch: (search: Record<string, unknown>) => textOf(search, ['tenant']),
  // Links within a tenant stay there.
  search: { middlewares: [retainSearchParams(['tenant'])] },
  component: Shell,
  notFoundComponent: NotFound,
})

const overview = createRoute({ getParentRoute: () => root, path: '/', component: OverviewPage })

const objects = createRoute({
  getParentRoute: () => root,
  path: '/objects',
  validateSearch: (search) => textOf(search, ['type', 'q', 'status', 'tag', 'order', 'deleted']),
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => {
    prefetchRows(...objectsQuery(deps))
    prefetchCall('types.list')
  },
  component: lazyRouteComponent(() => import('../pages/objects/objects-page.tsx'), 'ObjectsPage'),
})

const newObject = createRoute({
  getParentRoute: () => root,
  path: '/objects/new',
  validateSearch: (search) => textOf(search, ['type']),
  component: lazyRouteComponent(() => import('../pages/objects/new-object-page.tsx'), 'NewObjectPage'),
})

const object = createRoute({
  getParentRoute: () => root,
  path: '/objects/$id',
  validateSearch: (search) => textOf(search, ['view']),
  component: lazyRouteComponent(() => import('../pages/objects/object-page.tsx'), 'ObjectPage'),
})

const prompts = createRoute({
  getParentRoute: () => root,
  path: '/prompts',
  component: lazyRouteComponent(() => import('../pages/prompts/prompts-page.tsx'), 'PromptsPage'),
})

const newPrompt = createRoute({
  getParentRoute: () => root,
  path: '/prompts/new',
  component: lazyRouteComponent(() => import('../pages/operations/create-page.tsx'), 'NewPromptPage'),
})

const prompt = createRoute({
  getParentRoute: () => root,
  path: '/prompts/$id',
  validateSearch: (search) => textOf(search, ['view', 'from', 'to']),
  component: lazyRouteComponent(() => import('../pages/prompts/prompt-page.tsx'), 'PromptPage'),
})

const missions = createRoute({
  getParentRoute: () => root,
  path: '/missions',
  validateSearch: (search) => textOf(search, ['status']),
  component: lazyRouteComponent(() => import('../pages/missions/missions-page.tsx'), 'MissionsPage'),
})

const newMission = createRoute({
  getParentRoute: () => root,
  path: '/missions/new',
  component: lazyRouteComponent(() => import('../pages/missions/new-mission-page.tsx'), 'NewMissionPage'),
})

const mission = createRoute({
  getParentRoute: () => root,
  path: '/missions/$id',
  validateSearch: (search) => textOf(search, ['view', 'task', 'artifact']),
  component: lazyRouteComponent(() => import('../pages/missions/mission-page.tsx'), 'MissionPage'),
})

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  validateSearch: (search) => textOf(search, ['view', 'status']),
  component: lazyRouteComponent(() => import('../pages/inbox/inbox-page.tsx'), 'InboxPage'),
})

const types = createRoute({
  getParentRoute: () => root,
  path: '/types',
  component: lazyRouteComponent(() => import('../pages/types/types-page.tsx'), 'TypesPage'),
})

const newType = createRoute({
  getParentRoute: () => root,
  path: '/types/new',
  component: lazyRouteComponent(() => import('../pages/operations/create-page.tsx'), 'NewTypePage'),
})

const type = createRoute({
  getParentRoute: () => root,
  path: '/types/$slug',
  component: lazyRouteComponent(() => import('../pages/types/type-page.tsx'), 'TypePage'),
})

const workspaces = createRoute({
  getParentRoute: () => root,
  path: '/workspaces',
  component: lazyRouteComponent(() => import('../pages/workspaces/workspaces-page.tsx'), 'WorkspacesPage'),
})

const newWorkspace = createRoute({
  getParentRoute: () => root,
  path: '/workspaces/new',
  component: lazyRouteComponent(() => import('../pages/operations/create-page.tsx'), 'NewWorkspacePage'),
})

const workspace = createRoute({
  getParentRoute: () => root,
  path: '/workspaces/$id',
  validateSearch: (search) => textOf(search, ['view', 'session']),
  component: lazyRouteComponent(() => import('../pages/workspaces/workspace-page.tsx'), 'WorkspacePage'),
})

const skills = createRoute({
  getParentRoute: () => root,
  path: '/skills',
  component: lazyRouteComponent(() => import('../pages/skills/skills-page.tsx'), 'SkillsPage'),
})

const skill = createRoute({
  getParentRoute: () => root,
  path: '/skills/$name',
  component: lazyRouteComponent(() => import('../pages/skills/skill-page.tsx'), 'SkillPage'),
})

const agents = createRoute({
  getParentRoute: () => root,
  path: '/agents',
  validateSearch: (search) => textOf(search, ['state']),
  component: lazyRouteComponent(() => import('../pages/skills/agents-page.tsx'), 'AgentsPage'),
})

const agent = createRoute({
  getParentRoute: () => root,
  path: '/agents/$id',
  component: lazyRouteComponent(() => import('../pages/skills/agent-page.tsx'), 'AgentPage'),
})

const execution = createRoute({
  getParentRoute: () => root,
  path: '/executions/$id',
  component: lazyRouteComponent(() => import('../pages/skills/execution-page.tsx'), 'ExecutionPage'),
})

const operations = createRoute({
  getParentRoute: () => root,
  path: '/operations',
  validateSearch: (search) => textOf(search, ['q', 'area']),
  component: lazyRouteComponent(() => import('../pages/operations/operations-page.tsx'), 'OperationsPage'),
})

const operation = createRoute({
  getParentRoute: () => root,
  path: '/operations/$name',
  validateSearch: (search) => textOf(search, ['input']),
  component: lazyRouteComponent(() => import('../pages/operations/operation-page.tsx'), 'OperationPage'),
})

const pluginPage = createRoute({
  getParentRoute: () => root,
  path: '/pages/$id',
  component: lazyRouteComponent(() => import('../pages/plugins/plugin-page.tsx'), 'PluginPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    overview,
    objects,
    newObject,
    object,
    prompts,
    newPrompt,
    prompt,
    missions,
    newMission,
    mission,
    inbox,
    types,
    newType,
    type,
    workspaces,
    newWorkspace,
    workspace,
    skills,
    skill,
    agents,
    agent,
    execution,
    operations,
    operation,
    pluginPage,
  ]),
  basepath: '/studio',
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
