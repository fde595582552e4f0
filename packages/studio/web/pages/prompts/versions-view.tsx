import { call } from '../../data/connection.ts'
import { useCan } from '../../data/operations.ts'
import { contentOf } from '../../data/prompts.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Diff } from '../../parts/code/editor.tsx'
import { Time } from '../../parts/time.tsx'
import { orTell, tell } from '../../parts/toasts.tsx'
import type { ComparedVersions } from './comparison-view.tsx'
import type { PromptPartProps } from './labels-view.tsx'
import { VersionChoice } from './version-choice.tsx'
import { VersionTree } from './version-tree.tsx'

/** All versions, and two of them side by side. */
export function VersionsView({ prompt, versions, from, to, onCompare }: PromptPartProps & ComparedVersions) {
  const can = useCan()
  const after = versions.find(({ version }) => String(version) === to) ?? versions.at(-1)
  const before =
    versions.find(({ version }) => String(version) === from) ??
    versions.find(({ version }) => version === (after?.version ?? 0) - 1)
  const publish = (version: number) =>
    orTell(async () => {
      const previous = prompt.publishedVersion ?? 0
      await call('prompts.publish', { prompt: prompt.id, version })
      tell(`Version ${version} is published.`, () => call('prompts.publish', { prompt: prompt.id, version: previous }))
    })
  return (
    <>
      <Card title="Versions">
        <ol className="versions">
          {versions.toReversed().map(({ id, version, published, fields, createdAt, createdBy }) => (
            <li key={id}>
              <strong>{version}</strong>
              <span className="version-text">
                {fields.changelog ?? (version === 0 ? 'Initial version' : 'No changelog')}
                {createdBy && <span className="faint"> by {createdBy}</span>}
              </span>
              <Time at={createdAt} />
              {published ? (
                <Badge state="published" />
              ) : (
                can('prompts.publish') && (
                  <button type="button" className="small" onClick={() => publish(version)}>
                    Publish {version}
                  </button>
                )
              )}
              {version > 0 && (
                <button
                  type="button"
                  className="small"
                  onClick={() => onCompare(String(version - 1), String(version))}
                  aria-label={`Compare version ${version} with the previous one`}
                >
                  Compare
                </button>
              )}
            </li>
          ))}
        </ol>
      </Card>
      {before && after && before !== after && (
        <Card title={`From version ${before.version} to ${after.version}`}>
          <div className="filters">
            <VersionChoice
              label="From"
              versions={versions}
              value={String(before.version)}
              onChange={(version) => onCompare(version, String(after.version))}
            />
            <VersionChoice
              label="To"
              versions={versions}
              value={String(after.version)}
              onChange={(version) => onCompare(String(before.version), version)}
            />
          </div>
          <Diff
            before={contentOf(before)}
            after={contentOf(after)}
            labels={[`Version ${before.version}`, `Version ${after.version}`]}
          />
        </Card>
      )}
      <VersionTree
        versions={versions}
        onSelect={(version) => onCompare(String(Math.max(0, version - 1)), String(version))}
      />
    </>
  )
}
