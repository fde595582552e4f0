import { isEmail, isUrl } from '../../src/fields/formats.js'
import type { FieldDefinition } from '../../src/index.js'
import { jsonProblem } from '../../src/json/index.js'
import { isAbsent, isDate, patternProblem } from '../../src/schemas/index.js'

const isStorable = (text: string) => !/\0|\p{Surrogate}/u.test(text)

/** A plain reading of field definitions, rule by rule: the errors as `<field>:<code>`, in the order of the schema. */
export function fieldCodesInModel(
  fields: Readonly<Record<string, unknown>>,
  schema: readonly FieldDefinition[],
): string[] {
  return schema.flatMap((field) => {
    const value = Object.hasOwn(fields, field.name) ? fields[field.name] : undefined
    return valueCodes(value, field).map((code) => `${field.name}:${code}`)
  })
}

function valueCodes(value: unknown, field: FieldDefinition): string[] {
  if (isAbsent(value)) return field.required ? ['required'] : []
  const { options = [], validation = {} } = field
  switch (field.type) {
    case 'string':
    case 'textarea':
      if (typeof value !== 'string') return ['type']
      return [...(isStorable(value) ? [] : ['characters']), ...textCodes(value, validation)]
    case 'url':
    case 'email':
      if (typeof value !== 'string') return ['type']
      return [...((field.type === 'url' ? isUrl : isEmail)(value) ? [] : ['format']), ...textCodes(value, validation)]
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) return ['type']
      return [
        ...(validation.min !== undefined && value < validation.min ? ['min'] : []),
        ...(validation.max !== undefined && value > validation.max ? ['max'] : []),
      ]
    case 'boolean':
      return typeof value === 'boolean' ? [] : ['type']
    case 'date':
      return typeof value !== 'string' ? ['type'] : isDate(value) ? [] : ['format']
    case 'select':
      return typeof value !== 'string' ? ['type'] : options.includes(value) ? [] : ['option']
    case 'multi-select':
      if (!Array.isArray(value)) return ['type']
      return options.length > 0 && Array.from(value).every((element) => options.includes(element)) ? [] : ['option']
    case 'tags': {
      if (!Array.isArray(value)) return ['type']
      const codes = Array.from(value, (tag) => (typeof tag !== 'string' ? 'type' : isStorable(tag) ? '' : 'characters'))
      return [...new Set(codes)].filter((code) => code !== '')
    }
    case 'json':
      return jsonProblem(value) ? ['json'] : []
    case 'array':
      return !Array.isArray(value) ? ['type'] : jsonProblem(value) ? ['json'] : []
  }
}

function textCodes(
  text: string,
  { minLength = 0, maxLength, pattern }: NonNullable<FieldDefinition['validation']>,
): string[] {
  const length = [...text].length
  const unusable = pattern !== undefined && patternProblem(pattern) !== undefined
  return [
    ...(length < minLength ? ['minLength'] : []),
    ...(maxLength !== undefined && length > maxLength ? ['maxLength'] : []),
    ...(pattern === undefined || unusable || new RegExp(pattern, 'u').test(text) ? [] : ['pattern']),
    ...(unusable ? ['invalid_pattern'] : []),
  ]
}
