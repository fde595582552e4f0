import { Type } from 'typebox'
import { defineCollection } from '../../src/storage/collection.js'

const schema = Type.Object({ id: Type.String() })

export const things = defineCollection({
  name: 'things',
  version: 1,
  schema,
  key: 'id',
  columns: {
    name: { type: 'string', unique: true },
    rank: { type: 'number', indexed: true },
    labels: { type: 'strings', indexed: true },
    city: { type: 'string', path: 'place.city' },
    createdAt: 'string',
  },
  createdAt: 'createdAt',
  text: 'text',
})

export const plain = defineCollection({ name: 'plain', version: 1, schema, key: 'id' })
