import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { describeError } from '../data/query-client.ts'
import { Notice } from '../parts/notice.tsx'

/** Stands in place of a page that broke, such as one whose code the server no longer has after an update. */
export function PageError({ error }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <>
      <h1>This page cannot be shown</h1>
      <Notice kind="bad" title="Why">
        <p className="text">{describeError(error)}</p>
      </Notice>
      <div className="actions">
        <button type="button" className="primary" onClick={() => location.reload()}>
          Load it again
        </button>
        <button type="button" onClick={() => router.history.back()}>
          Go back
        </button>
      </div>
    </>
  )
}
