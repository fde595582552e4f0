import type { Operation } from '@minions/core'
import * as reading from './reading.js'
import * as running from './running.js'

/** Operations on missions. */
export const missionOperations: readonly Operation[] = [
  running.run,
  running.start,
  running.resume,
  running.cancel,
  reading.list,
  reading.status,
  reading.get,
  reading.graph,
  reading.diagram,
  reading.replay,
]
