import { afterAll, vi } from 'vitest'

// The files share a process: a connection that outlives its file would meet the servers that the next one kills and restarts.
afterAll(async () => {
  await vi.waitFor(
    () => {
      const open = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
      if (open > 0) throw new Error(`Connections open at the end of this file: ${open}. Close what it opens.`)
    },
    { timeout: 30_000 },
  )
})
