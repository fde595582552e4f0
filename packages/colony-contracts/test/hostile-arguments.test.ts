import { expect, it } from 'vitest'
import { executionOrder, validateTaskGraph } from '../src/index.js'

const graph = { tasks: [{ task_id: 'a', depends_on: new Array(2 ** 32 - 1) }] } as never

it.each([['executionOrder', executionOrder] as const, ['validateTaskGraph', validateTaskGraph] as const])(
  '%s refuses a list of dependencies that would take for ever to read',
  (_, run) => {
    expect(() => run(graph)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  },
)
