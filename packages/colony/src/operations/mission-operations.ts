import type { Operation } from '@minions/core/operations'
import * as reading from './reading.js'
import * as running from './running.js'

export const missionOperations = [
  running.run,
  running.start,
  running.submit,
  running.resume,
  running.pause,
  running.cancel,
  reading.list,
  reading.status,
  reading.get,
  reading.graph,
  reading.diagram,
  reading.replay,
] as const satisfies readonly Operation[]
