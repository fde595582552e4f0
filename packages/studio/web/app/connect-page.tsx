import { type FormEvent, useId, useState } from 'react'
import { reconnect } from '../data/connection.ts'
import { markBeginning } from '../data/live.ts'
import { queryClient } from '../data/query-client.ts'
import { readKey, storeKey } from '../data/session.ts'
import { Notice } from '../parts/notice.tsx'

/** Asks for a key, where the address brought none or one that is no longer valid. */
export function ConnectPage() {
  const id = useId()
  const [key, setKey] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    storeKey(key.trim())
    reconnect()
    markBeginning()
    void queryClient.resetQueries()
  }
  return (
    <main className="splash">
      <form className="card connect" onSubmit={submit}>
        <h1>Minions Studio</h1>
        {readKey() !== undefined && (
          <Notice kind="warn" title="The key is not valid">
            It is unknown, expired or revoked.
          </Notice>
        )}
        <p>
          This server requires a key. Create one with <code>minions keys create --owner you --scope write</code>, or
          open the address that <code>minions studio</code> prints, which has a key of its own.
        </p>
        <label htmlFor={id}>Key</label>
        <input
          id={id}
          type="password"
          autoComplete="off"
          required
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
        <button type="submit" className="primary">
          Open
        </button>
      </form>
    </main>
  )
}
