import { expect, it } from 'vitest'
import { createHandler, type HandlerOptions } from '../src/index.js'
import { servedApp } from './support/app.js'

const refused = expect.objectContaining({ code: 'VALIDATION_FAILED' })

it('takes the options of a handler once, and refuses what cannot be one', async () => {
  const app = await servedApp()
  const wrong: Record<string, unknown>[] = [
    { hosts: 'localhost' },
    { hosts: [5] },
    { hosts: new Array(1) },
    { origins: new Array(2 ** 32 - 1) },
    { withoutKey: 'yes' },
    { maxBodyBytes: Number.NaN },
    { readTimeout: '5' },
    { runAfter: -1 },
    { rateLimit: {} },
    { rateLimit: () => true },
    { failureLimit: { points: 5, duration: {} } },
    Object.defineProperty({}, 'origins', {
      enumerable: true,
      get() {
        throw new Error('of a getter')
      },
    }),
  ]
  for (const options of wrong) {
    expect(() => createHandler(app, options as HandlerOptions), JSON.stringify(Object.keys(options))).toThrow(refused)
  }
  const limiter = { consume: async () => undefined }
  createHandler(app, { rateLimit: limiter, failureLimit: false, hosts: undefined as never })
})

it('answers a handler that is called with something else than a request with an error of ours', async () => {
  const app = await servedApp()
  const handle = createHandler(app)
  for (const value of [undefined, null, 5, 'http://localhost/', {}]) {
    await expect(handle(value as never)).rejects.toThrow(refused)
  }
})
