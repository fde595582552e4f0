// @ts-check

/**
 * Replaces what stands between `<!-- name -->` and `<!-- /name -->` by the part of that name.
 *
 * @param {string} text
 * @param {Record<string, string>} parts
 * @returns {{ text: string, unknown: string[] }} `unknown` names the marked parts that were not given
 */
export function fillMarkers(text, parts) {
  /** @type {string[]} */
  const unknown = []
  const filled = text.replace(/<!-- ([\w:.-]+) -->\n[\s\S]*?<!-- \/\1 -->/g, (whole, /** @type {string} */ name) => {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined
    if (part === undefined) unknown.push(name)
    return part === undefined ? whole : `<!-- ${name} -->\n\n${part}\n\n<!-- /${name} -->`
  })
  return { text: filled, unknown }
}
