import { Link } from '@tanstack/react-router'
import { useCall } from '../../data/use-call.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import type { Skill } from './skill.ts'

const COLUMNS: readonly Column<Skill>[] = [
  {
    title: 'Skill',
    cell: ({ name }) => (
      <Link to="/skills/$name" params={{ name }}>
        {name}
      </Link>
    ),
  },
  { title: 'Version', width: '7rem', cell: ({ version }) => version },
  { title: 'Description', cell: ({ description }) => description },
  { title: 'Tags', width: '12rem', cell: ({ tags = [] }) => tags.join(', ') },
]

export function SkillsPage() {
  const { data: skills = [], isSuccess, error } = useCall<readonly Skill[]>('skills.list')
  return (
    <div className="fill">
      <PageHead title="Skills" about="What agents can do. Open one to run it." />
      <Failure title="The skills cannot be shown" error={error} />
      {isSuccess && skills.length === 0 ? (
        <Empty title="No skills">
          Load some from a folder with <code>minions skills load</code>, or register them in code.
        </Empty>
      ) : (
        <Table label="Skills" rows={skills} columns={COLUMNS} keyOf={({ name, version }) => `${name} ${version}`} />
      )}
    </div>
  )
}
