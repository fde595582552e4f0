import { isMinionsError } from '@minions/client'
import { type ReactNode, useEffect } from 'react'
import { followChanges } from '../data/live.ts'
import { useOperations } from '../data/operations.ts'
import { describeError } from '../data/query-client.ts'
import { Notice } from '../parts/notice.tsx'
import { ConnectPage } from './connect-page.tsx'

/** Shows the page once the server has let it in, and follows what changes from then on. */
export function Connected({ children }: { readonly children: ReactNode }) {
  const { isSuccess, isPending, error } = useOperations()
  useEffect(() => {
    if (!isSuccess) return
    const stop = new AbortController()
    void followChanges(stop.signal)
    return () => stop.abort()
  }, [isSuccess])
  if (isSuccess) return children
  if (isPending) {
    return (
      <p className="splash" role="status">
        Opening the store …
      </p>
    )
  }
  if (isMinionsError(error, 'UNAUTHENTICATED')) return <ConnectPage />
  return (
    <main className="splash">
      <Notice kind="bad" title="The server cannot be reached">
        {describeError(error)} Start it again, then reload this page.
      </Notice>
    </main>
  )
}
