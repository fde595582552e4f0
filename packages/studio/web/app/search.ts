/** What an address says behind its `?`, as texts; anything else in it is left out. */
export function textOf<const Name extends string>(
  search: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): { [Key in Name]?: string | undefined } {
  const found: { [Key in Name]?: string | undefined } = {}
  for (const name of names) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') found[name] = value
    else if (typeof value === 'number' || typeof value === 'boolean') found[name] = String(value)
  }
  return found
}
