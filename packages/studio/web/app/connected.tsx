import { type ReactNode, useEffect } from 'react'
import { isRefused } from '../data/connection.ts'
import { followChanges } from '../data/live.ts'
import { useOperations } from '../data/operations.ts'
import { describeError } from '../data/query-client.ts'
import { useStore } from '../data/store.ts'
import { Notice } from '../parts/notice.tsx'
import { ConnectPage } from './connect-page.tsx'

/** Shows the page for as long as the server lets it in, and follows what changes. */
export function Connected({ children }: { readonly children: ReactNode }) {
  const { isSuccess, isPending, error } = useOperations()
  const refused = useStore(isRefused)
  const isIn = isSuccess && !refused
  useEffect(() => {
    if (!isIn) return
    const stop = new AbortController()
    void followChanges(stop.signal)
    return () => stop.abort()
  }, [isIn])
  if (refused) return <ConnectPage />
  if (isIn) return children
  if (isPending) {
    return (
      <p className="splash" role="status">
        Opening the store …
      </p>
    )
  }
  return (
    <main className="splash">
      <Notice kind="bad" title="The server cannot be reached">
        {describeError(error)} Start it again, then reload this page.
      </Notice>
    </main>
  )
}
