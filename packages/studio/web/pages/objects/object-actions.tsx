import { useNavigate } from '@tanstack/react-router'
import { call } from '../../data/connection.ts'
import { useCan } from '../../data/operations.ts'
import type { Minion } from '../../data/records.ts'
import { orTell, tell } from '../../parts/toasts.tsx'

/** Deleting and restoring; what can be undone is undone with one button. */
export function ObjectActions({ minion }: { readonly minion: Minion }) {
  const { id, title, deletedAt } = minion
  const can = useCan()
  const navigate = useNavigate()
  const run = (operation: string, done: string, undo?: string) => () =>
    orTell(async () => {
      await call(operation, { id })
      tell(done, undo === undefined ? undefined : () => call(undo, { id }))
      if (operation === 'objects.purge') await navigate({ to: '/objects' })
    })
  const remove = run('objects.purge', `“${title}” was permanently removed.`)
  return (
    <>
      {!deletedAt && can('objects.delete') && (
        <button type="button" onClick={run('objects.delete', `“${title}” was deleted.`, 'objects.restore')}>
          Delete
        </button>
      )}
      {deletedAt && can('objects.restore') && (
        <button type="button" onClick={run('objects.restore', `“${title}” was restored.`, 'objects.delete')}>
          Restore
        </button>
      )}
      {deletedAt && can('objects.purge') && (
        <button
          type="button"
          className="danger"
          onClick={() => {
            if (confirm(`Permanently remove “${title}” and its relations?`)) void remove()
          }}
        >
          Remove permanently
        </button>
      )}
    </>
  )
}
