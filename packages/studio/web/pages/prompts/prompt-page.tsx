import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { Prompt, PromptVersion } from '../../data/prompts.ts'
import { useCall } from '../../data/use-call.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { Tabs, tabOf } from '../../parts/tabs.tsx'
import { Time } from '../../parts/time.tsx'
import { UnreadyPage } from '../../parts/unready.tsx'
import { LabelsView } from './labels-view.tsx'
import { PromptEditor } from './prompt-editor.tsx'
import { TestsView } from './tests-view.tsx'
import { VersionsView } from './versions-view.tsx'

const TABS = { edit: 'Edit', versions: 'Versions', labels: 'Labels and splits', tests: 'Tests' }

/** One prompt: its text, versions, labels and tests. */
export function PromptPage() {
  const { id } = useParams({ from: '/prompts/$id' })
  const { view: named, from, to } = useSearch({ from: '/prompts/$id' })
  const view = tabOf(TABS, named)
  const navigate = useNavigate({ from: '/prompts/$id' })
  const { data: prompt, error } = useCall<Prompt>('prompts.get', { prompt: id })
  const { data: versions = [] } = useCall<readonly PromptVersion[]>('prompts.history', { prompt: id })
  const latest = versions.at(-1)
  if (!prompt || !latest) return <UnreadyPage error={error} what="The prompt" />
  const onCompare = (before: string, after: string) =>
    navigate({ search: { view, from: before, to: after }, replace: true })
  const compared = { prompt, versions, from, to, onCompare }
  return (
    <>
      <PageHead
        title={prompt.title}
        about={
          <>
            Version {prompt.publishedVersion ?? 0} is published, version {latest.version} is the latest. Updated{' '}
            <Time at={latest.updatedAt} />.
          </>
        }
      />
      <Tabs
        label="Views of the prompt"
        tabs={TABS}
        chosen={view}
        onChoose={(next) => navigate({ search: { view: next === 'edit' ? undefined : next } })}
      >
        {view === 'edit' && (
          <PromptEditor
            key={prompt.id}
            prompt={prompt}
            latest={latest}
            versions={versions}
            onSaved={(version) =>
              navigate({ search: { view: 'versions', from: String(latest.version), to: String(version) } })
            }
          />
        )}
        {view === 'versions' && <VersionsView {...compared} />}
        {view === 'labels' && <LabelsView prompt={prompt} versions={versions} />}
        {view === 'tests' && <TestsView {...compared} />}
      </Tabs>
    </>
  )
}
