/** A fragment as a template names it: `{{> tone}}`, `{{> tone@staging}}` or `{{> tone@3}}`. */
export interface FragmentReference {
  /** Name or id of a prompt. */
  readonly name: string
  /** A label or version number. Default: the published version. */
  readonly at?: string
}

const REFERENCE = /^>[ \t\n\r\f\v]*([A-Za-z0-9][A-Za-z0-9._/:-]{0,127})(?:@([a-z0-9]+(?:[._-][a-z0-9]+)*))?$/

/** Parses the contents of a tag; undefined if it does not name a fragment. */
export function parseFragment(tag: string): FragmentReference | undefined {
  const [, name, at] = REFERENCE.exec(tag) ?? []
  if (name === undefined || name.includes('..')) return undefined
  return at === undefined ? { name } : { name, at }
}

export function fragmentText({ name, at }: FragmentReference): string {
  return at === undefined ? name : `${name}@${at}`
}
