import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { MissionProgress } from '../../data/records.ts'
import { useCall } from '../../data/use-call.ts'
import { Badge } from '../../parts/badge.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Tabs, tabOf } from '../../parts/tabs.tsx'
import { UnreadyPage } from '../../parts/unready.tsx'
import { ArtifactsView } from './artifacts-view.tsx'
import { EvidenceView } from './evidence-view.tsx'
import { MissionActions } from './mission-actions.tsx'
import { MissionMeters } from './mission-meters.tsx'
import { TasksView } from './tasks-view.tsx'
import { TimelineView } from './timeline-view.tsx'
import { useEnvelope } from './use-envelope.ts'

const TABS = { tasks: 'Tasks', timeline: 'Timeline', evidence: 'Claims and evidence', artifacts: 'Artifacts' }

export function MissionPage() {
  const { id } = useParams({ from: '/missions/$id' })
  const { view: named, task, artifact } = useSearch({ from: '/missions/$id' })
  const view = tabOf(TABS, named)
  const navigate = useNavigate({ from: '/missions/$id' })
  const { data: mission, error } = useCall<MissionProgress>('missions.status', { mission: id })
  const envelope = useEnvelope(id)
  if (!mission) return <UnreadyPage error={error} what="The mission" />
  const chooseArtifact = (next: string) =>
    navigate({ search: (before) => ({ ...before, artifact: next }), replace: true })
  const isInterrupted = mission.status === 'running' && !mission.active
  return (
    <>
      <PageHead
        title={envelope?.user_goal ?? id}
        about={
          <>
            <Badge state={mission.status} /> {mission.completed} of {mission.total} tasks done.
          </>
        }
      >
        <MissionActions mission={mission} />
      </PageHead>
      {mission.error !== null && (
        <Notice kind="bad" title="Why the mission ended">
          {mission.error}
        </Notice>
      )}
      {isInterrupted && (
        <Notice kind="warn" title="Interrupted">
          No process is running this mission. Resume continues it where it stopped.
        </Notice>
      )}
      <MissionMeters mission={mission} envelope={envelope} />
      <Tabs
        label="Views of the mission"
        tabs={TABS}
        chosen={view}
        onChoose={(next) => navigate({ search: { view: next === 'tasks' ? undefined : next } })}
      >
        {view === 'tasks' && (
          <TasksView
            mission={mission}
            selected={task}
            onSelect={(next) => navigate({ search: (before) => ({ ...before, task: next }), replace: true })}
          />
        )}
        {view === 'timeline' && <TimelineView mission={mission} />}
        {view === 'evidence' && <EvidenceView mission={mission} selected={artifact} onSelect={chooseArtifact} />}
        {view === 'artifacts' && <ArtifactsView mission={mission} selected={artifact} onSelect={chooseArtifact} />}
      </Tabs>
    </>
  )
}
