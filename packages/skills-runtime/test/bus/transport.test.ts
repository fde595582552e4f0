import { describe, expect, it } from 'vitest'
import type { MessageTransport, SentMessage } from '../../src/index.js'
import { inProcessTransport } from '../../src/index.js'
import { messageTransportCases } from '../../src/testing/transport-cases.js'

describe('the transport within a process', () => {
  it.each(messageTransportCases)('$name', async ({ run }) => {
    const transport = inProcessTransport()
    await run(() => ({ join: () => transport }))
  })
})

describe('the cases', () => {
  type Change = (transport: MessageTransport) => Partial<ReturnType<MessageTransport['connect']>>

  /** How many cases fail for a transport whose links differ in one thing. */
  async function failures(change: (link: ReturnType<MessageTransport['connect']>) => ReturnType<Change>) {
    const names: string[] = []
    for (const { name, run } of messageTransportCases) {
      const transport = inProcessTransport()
      const broken: MessageTransport = {
        connect(endpoint) {
          const link = transport.connect(endpoint)
          return { ...link, dispatch: (message) => link.dispatch(message), ...change(link) }
        },
        close: () => transport.close(),
      }
      await run(() => ({ join: () => broken })).catch(() => names.push(name))
    }
    return names
  }

  it('find a transport that delivers twice', async () => {
    const twice = (link: ReturnType<MessageTransport['connect']>) => ({
      dispatch: (message: SentMessage) => {
        void link.dispatch(message)
        return link.dispatch(message)
      },
    })
    expect((await failures(twice)).length).toBeGreaterThan(2)
  })

  it('find one that loses messages, waits for nothing, or never lets go', async () => {
    expect((await failures(() => ({ dispatch: () => 0 }))).length).toBeGreaterThan(4)
    expect(await failures(() => ({ close: () => {} }))).toContain('forgets an endpoint that has left')
    const hasty = (link: ReturnType<MessageTransport['connect']>) => ({
      dispatch: (message: SentMessage) => {
        const taken = link.dispatch(message)
        return typeof taken === 'number' ? taken : 2
      },
    })
    expect(await failures(hasty)).toContain('waits for an endpoint that makes it wait')
  })
})
