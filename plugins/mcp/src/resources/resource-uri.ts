/** URIs of our resources: `minions://<area>/<parts…>`. */
export function resourceUri(area: string, ...parts: readonly string[]): string {
  return ['minions:/', area, ...parts.map(encodeURIComponent)].join('/')
}

/** Area and parts of a URI of ours; undefined for any other. */
export function parseResourceUri(
  uri: string,
): { readonly area: string; readonly parts: readonly string[] } | undefined {
  const [, path] = /^minions:\/\/([^?#]+)$/.exec(uri) ?? []
  if (path === undefined) return undefined
  try {
    const [area = '', ...parts] = path.split('/').map(decodeURIComponent)
    return parts.includes('') ? undefined : { area, parts }
  } catch {
    return undefined
  }
}
