import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { type DiffResult, isTruthy, PromptDiff, PromptRenderer, RendererError, TemplateError } from '../src/index.js'

const { resolve } = createRequire(import.meta.url)

/** Read the way another package would, through the exports of this one. */
function vectors<Case>(name: string): Case[] {
  return JSON.parse(readFileSync(resolve(`@minions/prompts/vectors/${name}.json`), 'utf8')).cases
}

function thrownBy(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

const renderer = new PromptRenderer()

interface TemplateCase {
  name: string
  template: string
  variables?: Record<string, unknown>
  strict?: boolean
  required?: string[]
  output?: string
  missing?: string[]
  error?: { line: number; column: number }
  extracted?: string[]
}

describe('golden vectors', () => {
  it.each(vectors<TemplateCase>('templates'))('template: $name', (vector) => {
    const { template, variables = {}, strict = true, required: requiredVariables = [] } = vector
    const render = () => renderer.render(template, variables, { strict, requiredVariables })
    if (vector.error) {
      const error = thrownBy(render)
      expect(error).toBeInstanceOf(TemplateError)
      expect(error).toMatchObject({ ...vector.error, code: 'TEMPLATE_INVALID' })
      return
    }
    expect(renderer.extractVariables(template)).toEqual(vector.extracted)
    if (vector.missing) {
      const error = thrownBy(render)
      expect(error).toBeInstanceOf(RendererError)
      expect(error).toMatchObject({ code: 'VARIABLES_MISSING', missingVariables: vector.missing })
    } else {
      expect(vector.output).toBeTypeOf('string')
      expect(render()).toBe(vector.output)
    }
  })

  it.each(vectors<{ value: unknown; truthy: boolean }>('truthiness'))('truthiness: $value', ({ value, truthy }) => {
    expect(isTruthy(value)).toBe(truthy)
    expect(renderer.render('{{#if value}}yes{{else}}no{{/if}}', { value })).toBe(truthy ? 'yes' : 'no')
  })

  it.each(vectors<TemplateCase>('escaping'))('escaping: $template', ({ template, variables = {}, output }) => {
    expect(renderer.render(template, variables)).toBe(output)
  })

  it.each(vectors<{ name: string; v1: { fields: object }; v2: { fields: object }; result: DiffResult }>('diff'))(
    'diff: $name',
    ({ v1, v2, result }) => {
      expect(new PromptDiff().diff(v1, v2)).toEqual(result)
    },
  )
})
