import { useCan } from '../../data/operations.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { DecisionsCard } from './decisions-card.tsx'
import { DoctorCard } from './doctor-card.tsx'
import { RecentCard } from './recent-card.tsx'
import { RunningCard } from './running-card.tsx'
import { StoreCard } from './store-card.tsx'

/** What is in the store, what runs, what needs a decision, and what is wrong. */
export function OverviewPage() {
  const can = useCan()
  return (
    <>
      <PageHead title="Overview" about="What is in this store, what is running, and what needs you." />
      <div className="cards">
        {can('types.list') && <StoreCard />}
        <RunningCard />
        <DecisionsCard />
        {can('store.diagnose') && <DoctorCard />}
        {can('objects.find') && <RecentCard />}
      </div>
    </>
  )
}
