import { defineOperation, operations } from '@minions/core/operations'
import { definePlugin, pluginRef, tokens } from '@minions/core/plugin'
import { defineCollection } from '@minions/core/storage'
import { Type } from 'typebox'

const page = Type.String({ description: 'Path of the page.', examples: ['/home'] })
const Visits = Type.Object({ page, count: Type.Integer() })
const visits = defineCollection({ name: 'acme_visits', version: 1, schema: Visits, key: 'page' })

const count = defineOperation({
  name: 'visits.count',
  summary: 'Count a visit to a page',
  access: 'write',
  input: Type.Object({ page }, { additionalProperties: false }),
  output: Visits,
  deps: { store: tokens.store },
  run: ({ page }, { store }) =>
    store.transaction(async (tx) => {
      const visit = { page, count: ((await tx.get(visits, page))?.count ?? 0) + 1 }
      await tx.put(visits, visit)
      return visit
    }),
})

export default () =>
  definePlugin({
    ref: pluginRef()('@acme/visits', 'visits'),
    version: '1.0.0',
    collections: [visits],
    contributes: [[operations, [count]]],
    setup: () => ({}),
  })
