import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCan } from '../../data/operations.ts'
import { useCall } from '../../data/use-call.ts'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Graph } from '../../parts/graph/graph.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Tabs, tabOf } from '../../parts/tabs.tsx'
import { UnreadyPage } from '../../parts/unready.tsx'
import { OperationRunner } from '../operations/operation-runner.tsx'
import { ContextView } from './context-view.tsx'
import { MemoryView } from './memory-view.tsx'
import { RulesView } from './rules-view.tsx'
import { SessionsView } from './sessions-view.tsx'
import type { Workspace } from './workspace.ts'

const TABS = {
  graph: 'Graph',
  rules: 'Rules',
  state: 'State',
  memory: 'Memory',
  sessions: 'Sessions',
  context: 'Agent context',
}

export function WorkspacePage() {
  const { id } = useParams({ from: '/workspaces/$id' })
  const { view: named, session } = useSearch({ from: '/workspaces/$id' })
  const view = tabOf(TABS, named)
  const navigate = useNavigate({ from: '/workspaces/$id' })
  const can = useCan()
  const { data: workspace, error } = useCall<Workspace>('workspaces.get', { workspace: id })
  if (!workspace) return <UnreadyPage error={error} what="The workspace" />
  return (
    <>
      <PageHead title={workspace.name} about={workspace.description || workspace.root_path} />
      <Tabs
        label="Views of the workspace"
        tabs={TABS}
        chosen={view}
        onChoose={(next) => navigate({ search: { view: next === 'graph' ? undefined : next } })}
      >
        {view === 'graph' && <WorkspaceGraph workspace={workspace} />}
        {view === 'rules' && <RulesView id={id} />}
        {view === 'state' && (
          <>
            <Card title="State">
              <JsonView value={workspace.state} label="State of the workspace" />
            </Card>
            {can('workspaces.setState') && <OperationRunner name="workspaces.setState" fixed={{ workspace: id }} />}
          </>
        )}
        {view === 'memory' && <MemoryView id={id} />}
        {view === 'sessions' && (
          <SessionsView id={id} session={session} onChoose={(next) => navigate({ search: { view, session: next } })} />
        )}
        {view === 'context' && <ContextView id={id} />}
      </Tabs>
    </>
  )
}

function WorkspaceGraph({ workspace }: { readonly workspace: Workspace }) {
  const nodes = Object.values(workspace.nodes)
  if (nodes.length === 0) {
    return (
      <Empty title="The graph has no nodes">
        Programs add agents, tasks, workflows and knowledge to it. To see one, create a workspace with “Sample”.
      </Empty>
    )
  }
  // A connection leads both ways and is drawn once.
  const edges = nodes.flatMap(({ id, connections }) =>
    connections.filter((other) => id < other).map((other) => ({ from: id, to: other })),
  )
  return (
    <Graph
      label="Graph of the workspace"
      nodes={nodes.map(({ id, name, type }) => ({ id, label: name, detail: type }))}
      edges={edges}
    />
  )
}
