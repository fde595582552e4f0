import { Notice } from './notice.tsx'

/** Stands in place of a form that the key of the page may not use. */
export function NotAllowed({
  operation,
  access,
}: {
  readonly operation: string
  readonly access?: string | undefined
}) {
  return (
    <Notice kind="plain" title="Your key does not allow this">
      The operation {operation} needs {access === undefined ? 'more access' : `the access “${access}”`}.
    </Notice>
  )
}
