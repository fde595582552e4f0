import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type OperationFacts, useOperations } from '../../data/operations.ts'
import { Empty } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { SearchBox } from '../../parts/search-box.tsx'

/** Everything that can be done with the store, by area. */
export function OperationsPage() {
  const { q = '', area } = useSearch({ from: '/operations' })
  const navigate = useNavigate({ from: '/operations' })
  const { data: operations = [] } = useOperations()
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const found = operations.filter(
    ({ name, summary }) =>
      (area === undefined || areaOf(name) === area) &&
      words.every((word) => `${name} ${summary}`.toLowerCase().includes(word)),
  )
  const areas = [...new Set(found.map(({ name }) => areaOf(name)))]
  return (
    <>
      <PageHead title="Operations" about="Everything you can do with this store, each with a form.">
        <SearchBox
          label="Search operations"
          value={q}
          onChange={(text) => navigate({ search: (before) => ({ ...before, q: text || undefined }), replace: true })}
        />
      </PageHead>
      {found.length === 0 && <Empty title="No matches">Try other words, or fewer.</Empty>}
      {areas.map((name) => (
        <AreaList key={name} area={name} operations={found.filter((each) => areaOf(each.name) === name)} />
      ))}
    </>
  )
}

function areaOf(name: string): string {
  return name.slice(0, name.indexOf('.'))
}

function AreaList({ area, operations }: { readonly area: string; readonly operations: readonly OperationFacts[] }) {
  return (
    <section className="card" aria-labelledby={`area-${area}`}>
      <h2 id={`area-${area}`}>{area}</h2>
      <ul className="rows">
        {operations.map(({ name, summary, access, destructive }) => (
          <li key={name}>
            <Link to="/operations/$name" params={{ name }}>
              <code>{name}</code>
            </Link>
            <span>{summary}</span>
            <span className="faint">{destructive ? `${access}, destructive` : access}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
