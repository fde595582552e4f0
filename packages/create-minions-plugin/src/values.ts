/** What can be created: a plugin, a storage backend, or, in the repository, a package. */
export const KINDS = ['plugin', 'storage', 'package'] as const

export type Kind = (typeof KINDS)[number]

/** Values for `{{key}}` in templates. */
export interface Values {
  /** In kebab-case. */
  readonly name: string
  /** The name on npm. */
  readonly package: string
  readonly title: string
  readonly camel: string
  readonly pascal: string
  readonly snake: string
}

/** All spellings of a name. Throws for an invalid name. */
export function valuesOf(name: string, packageName: string): Values {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)) {
    throw new Error(`"${name}" cannot be a name; use lower-case words with hyphens, e.g. audit-log.`)
  }
  const camel = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  return {
    name,
    package: packageName,
    title: name.replaceAll('-', ' '),
    camel,
    pascal: camel.charAt(0).toUpperCase() + camel.slice(1),
    snake: name.replaceAll('-', '_'),
  }
}
