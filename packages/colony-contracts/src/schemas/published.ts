import type { TSchema } from 'typebox'
import { artifactSchemas } from './artifact.js'

/** What is generated into this package's `schemas/` folder: file name without `.json`, and its schema. */
export const publishedSchemas: Readonly<Record<string, TSchema>> = Object.fromEntries(
  Object.entries(artifactSchemas).map(([name, schema]) => [`${name}.v1`, schema]),
)
