import { type Contributed, type ExtensionPoint, extensionPoint } from '@minions/core/plugin'

interface PageFacts {
  /** Its part of the address: `/studio/pages/<id>`; lower case, with hyphens. */
  readonly id: string
  /** Its name in the navigation. */
  readonly title: string
  /** What it is for, in one sentence. */
  readonly description?: string
}

/** A page that is the form of an operation, with its result below. */
export interface OperationPage extends PageFacts {
  /** Name of the operation, such as `reports.create`. */
  readonly operation: string
}

/**
 * A page of the plugin's own: an ES module without imports from elsewhere, that exports
 * `mount(element, studio)` and may return a function that undoes it. `studio` has `call(operation, input)`,
 * `events(options)` and `tenant`.
 */
export interface ModulePage extends PageFacts {
  /** The file of the module: `new URL('./page.js', import.meta.url)`. */
  readonly module: URL
}

/** A page that a plugin adds to the Studio. */
export type StudioPage = OperationPage | ModulePage

export type ContributedPage = Contributed<StudioPage>

const ID = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Extension point for pages of other plugins: `contributes: [[studioPages, [{ id, title, operation }]]]`. */
export const studioPages: ExtensionPoint<StudioPage> = extensionPoint<StudioPage>('@minions/studio/pages', {
  key: ({ id }) => id,
  check: pageProblem,
})

function pageProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'a page of the Studio is an object'
  const { id, title, operation, module } = value as Partial<OperationPage & ModulePage>
  if (typeof id !== 'string' || !ID.test(id)) {
    return `\`id\` must be like "sales-report", not ${JSON.stringify(id)?.slice(0, 100)}`
  }
  if (typeof title !== 'string' || title.trim() === '') return `the page "${id}" needs a \`title\``
  const isOperation = typeof operation === 'string'
  const isModule = module instanceof URL && module.protocol === 'file:'
  if (isOperation !== isModule) return undefined
  return `the page "${id}" needs either \`operation\`, a name, or \`module\`, the URL of a file`
}
