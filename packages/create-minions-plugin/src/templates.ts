import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Values } from './values.js'

const folder = fileURLToPath(new URL('../templates', import.meta.url))
const SUFFIX = '.tmpl'

/** The files of a template with its values filled in, by their paths. */
export function fillTemplate(template: string, values: Values): Record<string, string> {
  const files = readdirSync(join(folder, template), { recursive: true, encoding: 'utf8' }).sort()
  return Object.fromEntries(
    files
      .filter((file) => file.endsWith(SUFFIX))
      .map((file) => [
        fill(file.slice(0, -SUFFIX.length), values),
        fill(readFileSync(join(folder, template, file), 'utf8'), values),
      ]),
  )
}

function fill(text: string, values: Values): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => {
    const value = new Map(Object.entries(values)).get(key)
    if (value === undefined) throw new Error(`a template has "${key}", for which there is no value`)
    return value
  })
}
