import { defineOperation, type Operation } from '@minions/core/operations'
import { strictObject } from '@minions/core/schema'
import { Type } from 'typebox'
import { STUDIO_PATH } from '../path.js'
import { studioRef } from '../ref.js'

const listPages = defineOperation({
  name: 'studio.pages',
  summary: 'List the pages that plugins add to the Studio',
  access: 'read',
  perTenant: true,
  input: strictObject({}),
  output: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      description: Type.Optional(Type.String()),
      plugin: Type.String({ description: 'The plugin that adds it.' }),
      operation: Type.Optional(Type.String({ description: 'The operation whose form the page is.' })),
      module: Type.Optional(Type.String({ description: 'Path of the module that draws the page.' })),
    }),
  ),
  examples: [{ title: 'All pages', input: {} }],
  deps: { studio: studioRef },
  run: (_, { studio }) =>
    studio.pages.map(({ plugin, value }) => {
      const { id, title, description } = value
      return {
        id,
        title,
        ...(description !== undefined && { description }),
        plugin,
        ...('operation' in value ? { operation: value.operation } : { module: `${STUDIO_PATH}/modules/${id}.js` }),
      }
    }),
})

export const studioOperations = [listPages] as const satisfies readonly Operation[]
