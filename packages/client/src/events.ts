import { cancelled, isMinionsError } from './errors.js'
import { pause } from './pause.js'
import { readEvents } from './server-sent-events.js'
import { takeSignal, takeText, takeTexts } from './take.js'
import { backOff, errorOf, isPassing, streamOf, type Transport } from './transport.js'
import type { ChangeEvent, EventOptions } from './types.js'

const FILTERS = ['type', 'id', 'mission', 'topic', 'collection'] as const

/** Follows what is committed to a store. A stream that is cut continues where it was; refusals are thrown. */
export async function* followEvents(
  transport: Transport,
  ownTenant: string | undefined,
  options: EventOptions,
): AsyncGenerator<ChangeEvent, void, undefined> {
  const { since, signal, tenant = ownTenant } = options
  takeText('The tenant', tenant)
  takeText('`since`', since)
  takeSignal(signal)
  const path = `/api/events?${new URLSearchParams(filtersOf(options))}`
  let cursor = since
  let failures = 0
  for (let isOpen = false; ; ) {
    try {
      const headers = { accept: 'text/event-stream', 'minions-tenant': tenant, 'last-event-id': cursor }
      const stream = await transport.send({ path, headers, signal }, streamOf, isOpen ? 0 : undefined)
      isOpen = true
      const onId = (id: string) => {
        cursor = id
        failures = 0
      }
      for await (const { event, data, id } of readEvents(stream, onId)) {
        if (event === 'problem') throw errorOf(JSON.parse(data))
        if (event === 'change') yield { cursor: id, ...JSON.parse(data) }
      }
    } catch (error) {
      if (signal?.aborted) throw cancelled(signal)
      // A truncated body fails with a platform-specific error.
      if (!isOpen || (isMinionsError(error) && !isPassing(error))) throw error
    }
    await pause(backOff(failures++), signal)
  }
}

function filtersOf(options: EventOptions): [string, string][] {
  return FILTERS.flatMap((name) =>
    takeTexts(`\`${name}\``, options[name]).map((value): [string, string] => [name, value]),
  )
}
