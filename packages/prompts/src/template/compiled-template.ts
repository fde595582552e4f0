import { guarded, guardMethods, takeList } from '@minions/core/plugin'
import type { TemplateNode } from './ast.js'
import { compileNodes, type Run, type Step } from './compile.js'
import { variablesOf } from './extract-variables.js'
import { parseTemplate } from './parse.js'
import { missingVariablesError, RendererError } from './renderer-error.js'
import { ownProperty } from './scope.js'
import { TemplateCache } from './template-cache.js'
import type { NeedsVariables, PartialTemplateVariables, TemplateVariables } from './template-variables.js'

export interface RenderOptions {
  /**
   * In strict mode, the default, every placeholder that rendering reaches must have a value. Otherwise one without a
   * value is kept as written.
   */
  readonly strict?: boolean
  /** Names that must have a value whether the template uses them or not, in either mode. */
  readonly requiredVariables?: readonly string[]
}

/** The arguments after the template: variables may be omitted when the template needs none. */
export type RenderArguments<T extends string> =
  | (NeedsVariables<T> extends true ? never : [variables?: undefined, options?: RenderOptions])
  | [variables: TemplateVariables<T>, options?: RenderOptions]
  | [variables: PartialTemplateVariables<T> | undefined, options: RenderOptions & { readonly strict: false }]

/** A parsed and compiled template, without state between renderings. */
export class CompiledTemplate<T extends string = string> {
  readonly source: T
  readonly nodes: readonly TemplateNode[]
  /** The names a caller supplies at the top level, in order of first use. */
  readonly variables: readonly string[]
  readonly #step: Step

  constructor(source: T) {
    this.source = source
    this.nodes = parseTemplate(source)
    this.variables = Object.freeze(variablesOf(this.nodes))
    this.#step = compileNodes(this.nodes)
  }

  /** Renders in one pass over the template; values are inserted as text and never interpreted as a template. */
  render(...[variables, options]: RenderArguments<T>): string {
    return this.#render(variables ?? {}, options ?? {})
  }

  #render(variables: unknown, { strict = true, requiredVariables = [] }: RenderOptions): string {
    if (typeof variables !== 'object' || variables === null || Array.isArray(variables)) {
      throw new RendererError('VARIABLE_INVALID', 'Variables must be an object that maps names to values.')
    }
    const run: Run = { strict, missing: undefined }
    for (const name of takeList('The required variables', requiredVariables)) {
      if (ownProperty(variables, name) !== undefined) continue
      run.missing ??= new Set()
      run.missing.add(name)
    }
    const output = this.#step({ item: variables, index: 0, outer: undefined }, run)
    if (run.missing) throw missingVariablesError(run.missing)
    return output
  }
}

guardMethods(CompiledTemplate)

const cache = new TemplateCache((source) => new CompiledTemplate(source))

/** Compiles a template, or returns it from a bounded cache. Throws `TemplateError` when it is malformed. */
export const compileTemplate = guarded('compileTemplate', compileTemplateUnchecked)

function compileTemplateUnchecked<const T extends string>(source: T): CompiledTemplate<T> {
  return cache.get(source) as CompiledTemplate<T>
}
