// @ts-check
// A plugin with a collection, an API and an operation. Used in code by main.mjs, and from a terminal:
//   npx minions --plugin ./examples/plugin/feedback.mjs --storage memory: operations run feedback.give --input '{"about":"docs","stars":5}'
import { defineOperation, operations } from '@minions/core/operations'
import { definePlugin, pluginRef, tokens } from '@minions/core/plugin'
import { defineCollection } from '@minions/core/storage'
import { Type } from 'typebox'

const Feedback = Type.Object({
  id: Type.String(),
  about: Type.String({ description: 'What the feedback is about.', minLength: 1, examples: ['docs'] }),
  stars: Type.Integer({ description: 'From 1 to 5.', minimum: 1, maximum: 5, examples: [5] }),
})

const feedbackCollection = defineCollection({
  name: 'acme_feedback',
  schema: Feedback,
  key: 'id',
  columns: { about: { type: 'string', required: true } },
  indexes: [['about']],
})

/** @typedef {{ about: string, stars: number }} Given */
/** @typedef {{ give(feedback: Given): Promise<string>, average(about: string): Promise<number | undefined> }} FeedbackApi */

const ref = /** @type {typeof pluginRef<FeedbackApi>} */ (pluginRef)()('@acme/feedback', 'feedback')

const give = defineOperation({
  name: 'feedback.give',
  summary: 'Give feedback',
  access: 'write',
  input: Type.Omit(Feedback, ['id']),
  output: Type.Object({ average: Type.Number({ description: 'The average of all stars about the same thing.' }) }),
  deps: { feedback: ref },
  examples: [{ title: 'Five stars for the documentation', input: { about: 'docs', stars: 5 } }],
  run: async (input, { feedback }) => {
    await feedback.give(input)
    return { average: (await feedback.average(input.about)) ?? 0 }
  },
})

export default () =>
  definePlugin({
    ref,
    version: '1.0.0',
    collections: [feedbackCollection],
    deps: { store: tokens.store, ids: tokens.ids },
    contributes: [[operations, [give]]],
    setup: ({ store, ids }) => ({
      async give(given) {
        const id = ids()
        await store.transaction((tx) => tx.put(feedbackCollection, { id, ...given }, { ifAbsent: true }))
        return id
      },
      async average(about) {
        let sum = 0
        let count = 0
        for await (const { record } of store.iterate(feedbackCollection, { where: { about } })) {
          sum += record.stars
          count += 1
        }
        return count === 0 ? undefined : sum / count
      },
    }),
  })
