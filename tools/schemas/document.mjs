// @ts-check
import { Ajv2020 } from 'ajv/dist/2020.js'
import { portabilityProblem } from './portable.mjs'

const dialect = 'https://json-schema.org/draft/2020-12/schema'

/**
 * The published form of a schema. TypeBox keeps its own marks in hidden properties, which JSON leaves out.
 *
 * @param {string} id a URI that names the schema
 * @param {unknown} schema
 * @returns {Record<string, unknown>}
 */
export function schemaDocument(id, schema) {
  const { $schema, $id, ...rest } = JSON.parse(JSON.stringify(schema))
  return { $schema: dialect, $id: id, ...rest }
}

/**
 * Why a document is not a JSON Schema of draft 2020-12 that a strict validator takes and every language reads alike, if so.
 *
 * @param {Record<string, unknown>} document
 * @returns {string | undefined}
 */
export function schemaProblem(document) {
  try {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false })
    ajv.compile(document)
    return portabilityProblem(document)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Keywords whose values are data and not schemas. */
const data = new Set(['examples', 'default', 'const', 'enum', 'required'])

/**
 * The properties of a schema, however deep, that have no description.
 *
 * @param {unknown} schema
 * @param {string} [path]
 * @returns {string[]}
 */
export function undescribed(schema, path = '') {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (data.has(keyword)) return []
    if (keyword !== 'properties' || Array.isArray(schema)) return undescribed(value, path)
    return Object.entries(value).flatMap(([name, property]) => [
      ...(property.description ? [] : [`${path}/${name}`]),
      ...undescribed(property, `${path}/${name}`),
    ])
  })
}
