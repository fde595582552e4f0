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

const newObject = page('/objects/new', () => import('../pages/objects/new-object-page.tsx'), 'NewObjectPage', ['type'])
const object = createRoute({
  getParentRoute: () => root,
  path: '/objects/$id',
  validateSearch: (search) => textOf(search, ['view']),
  loader: ({ params }) => prefetchCall('objects.getRecord', { id: params.id }),
  component: lazyRouteComponent(() => import('../pages/objects/object-page.tsx'), 'ObjectPage'),
})

const prompts = page('/prompts', () => import('../pages/prompts/prompts-page.tsx'), 'PromptsPage')
const newPrompt = page('/prompts/new', () => import('../pages/operations/create-page.tsx'), 'NewPromptPage')
const prompt = createRoute({
  getParentRoute: () => root,
  path: '/prompts/$id',
  validateSearch: (search) => textOf(search, ['view', 'from', 'to']),
  loader: ({ params }) => {
    Editor.preload()
    prefetchCall('prompts.get', { prompt: params.id })
    prefetchCall('prompts.history', { prompt: params.id })
  },
  component: lazyRouteComponent(() => import('../pages/prompts/prompt-page.tsx'), 'PromptPage'),
})

const missions = page('/missions', () => import('../pages/missions/missions-page.tsx'), 'MissionsPage', ['status'])
const newMission = page('/missions/new', () => import('../pages/missions/new-mission-page.tsx'), 'NewMissionPage')
const mission = createRoute({
  getParentRoute: () => root,
  path: '/missions/$id',
  validateSearch: (search) => textOf(search, ['view', 'task', 'artifact']),
  loader: ({ params }) => {
    Graph.preload()
    prefetchCall('missions.status', { mission: params.id })
  },
  component: lazyRouteComponent(() => import('../pages/missions/mission-page.tsx'), 'MissionPage'),
})

const inbox = page('/inbox', () => import('../pages/inbox/inbox-page.tsx'), 'InboxPage', ['view', 'status'])
const types = page('/types', () => import('../pages/types/types-page.tsx'), 'TypesPage')
const newType = page('/types/new', () => import('../pages/operations/create-page.tsx'), 'NewTypePage')
const type = page('/types/$slug', () => import('../pages/types/type-page.tsx'), 'TypePage')
const workspaces = page('/workspaces', () => import('../pages/workspaces/workspaces-page.tsx'), 'WorkspacesPage')
const newWorkspace = page('/workspaces/new', () => import('../pages/operations/create-page.tsx'), 'NewWorkspacePage')
const workspace = createRoute({
  getParentRoute: () => root,
  path: '/workspaces/$id',
  validateSearch: (search) => textOf(search, ['view', 'session']),
  loader: ({ params }) => {
    Graph.preload()
    prefetchCall('workspaces.get', { workspace: params.id })
  },
  component: lazyRouteComponent(() => import('../pages/workspaces/workspace-page.tsx'), 'WorkspacePage'),
})

const skills = page('/skills', () => import('../pages/skills/skills-page.tsx'), 'SkillsPage')
const skill = page('/skills/$name', () => import('../pages/skills/skill-page.tsx'), 'SkillPage')
const agents = page('/agents', () => import('../pages/skills/agents-page.tsx'), 'AgentsPage', ['state'])
const agent = page('/agents/$id', () => import('../pages/skills/agent-page.tsx'), 'AgentPage')
const messages = page('/messages', () => import('../pages/skills/messages-page.tsx'), 'MessagesPage')
const execution = page('/executions/$id', () => import('../pages/skills/execution-page.tsx'), 'ExecutionPage')
const operations = page('/operations', () => import('../pages/operations/operations-page.tsx'), 'OperationsPage', [
  'q',
  'area',
])
const operation = page('/operations/$name', () => import('../pages/operations/operation-page.tsx'), 'OperationPage', [
  'input',
])
const pluginPage = page('/pages/$id', () => import('../pages/plugins/plugin-page.tsx'), 'PluginPage')

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
    messages,
    execution,
    operations,
    operation,
    pluginPage,
  ]),
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
