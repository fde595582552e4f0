import { guardMethods } from '@minions/core/plugin'
import {
  type CompiledTemplate,
  compileTemplate,
  type RenderArguments,
  type RenderOptions,
} from './compiled-template.js'

/** `V` when its names are not known to the compiler, as with parsed JSON; otherwise nothing is assignable. */
type Dynamic<V> = string extends keyof V ? V : never

/** Renders templates by their text. Each is parsed once and kept in a bounded cache. */
export class PromptRenderer {
  /**
   * Renders a template. Throws `TemplateError` when it is malformed, and one `RendererError` that names every missing
   * variable. A literal template is checked against its variables at compile time, unless they are a record of unknown
   * names.
   */
  render<V extends Readonly<Record<string, unknown>>>(
    template: string,
    variables: Dynamic<V>,
    options?: RenderOptions,
  ): string
  render<const T extends string>(template: T, ...rest: RenderArguments<T>): string
  render(template: string, variables: Readonly<Record<string, unknown>> = {}, options: RenderOptions = {}): string {
    return compileTemplate(template).render(variables, options)
  }

  /** The names a caller supplies at the top level, in order of first use. */
  extractVariables(template: string): string[] {
    return [...compileTemplate(template).variables]
  }

  compile<const T extends string>(template: T): CompiledTemplate<T> {
    return compileTemplate(template)
  }
}

guardMethods(PromptRenderer)
