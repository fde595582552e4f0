import { getOwn } from '../json/get-own.js'
import { isRecord } from '../json/is-record.js'
import { pointerSegments, pointerTo } from '../json/pointer.js'
import type { Issue } from './issue.js'
import type { Dialect } from './json-schema.js'
import { keywordIssue } from './schema-issue.js'
import { type SchemaObject, type Subschema, subschemas } from './subschemas.js'

export type Target = SchemaObject | boolean

interface Found {
  readonly schema: Target
  readonly pointer: string
}

/** The base URI of a schema that has no `$id`. */
const NO_BASE = 'schema:///'

/**
 * Resolves all references of a schema by the rules of its dialect: an `$id` starts a resource and sets the base URI of
 * its contents, anchors belong to their resource, and nothing is loaded from elsewhere.
 */
export class References {
  /** Every schema inside, itself first, including parts that are schemas only because a reference points to them. */
  readonly all: Subschema[] = []
  readonly issues: Issue[] = []
  readonly #dialect: Dialect
  readonly #bases = new Map<object, string>()
  readonly #named = new Map<string, Subschema>()
  readonly #dynamicAnchors = new Map<string, Set<string>>()
  readonly #targets = new Map<object, Target[]>()

  constructor(root: SchemaObject, dialect: Dialect) {
    this.#dialect = dialect
    const whole: Subschema = { schema: root, location: 'same', pointer: '' }
    this.#named.set(`${NO_BASE}#`, whole)
    this.#add(whole, NO_BASE)
    // The list grows while it is read.
    for (const subschema of this.all) this.#resolveAll(subschema)
  }

  /** The targets of the `$ref` and the `$dynamicRef` of a schema. */
  targets(schema: SchemaObject): readonly Target[] {
    return this.#targets.get(schema) ?? []
  }

  #add(subschema: Subschema, outerBase: string): void {
    if (this.#bases.has(subschema.schema)) return
    this.all.push(subschema)
    const base = this.#name(subschema, outerBase)
    this.#bases.set(subschema.schema, base)
    for (const child of subschemas(subschema.schema, subschema.pointer, this.#dialect)) this.#add(child, base)
  }

  /** Registers the `$id` and the anchors of a schema; returns the base URI inside it. */
  #name(subschema: Subschema, outerBase: string): string {
    const { schema, pointer } = subschema
    let base = outerBase
    const id = getOwn(schema, '$id')
    const alone = this.#dialect === 'draft-07' && Object.hasOwn(schema, '$ref')
    if (typeof id === 'string' && !alone) {
      const [path, fragment] = splitReference(id)
      const uri = resolveUri(path, outerBase)
      if (uri === undefined) this.#refuse(pointer, '$id', `is not a URI reference that can be resolved: "${id}"`)
      else {
        base = uri
        if (path !== '') this.#register(subschema, '$id', `${base}#`)
        if (fragment !== '') this.#register(subschema, '$id', `${base}#${fragment}`)
      }
    }
    for (const keyword of this.#dialect === 'draft-07' ? [] : ['$anchor', '$dynamicAnchor']) {
      const anchor = getOwn(schema, keyword)
      if (typeof anchor !== 'string') continue
      this.#register(subschema, keyword, `${base}#${anchor}`)
      if (keyword === '$anchor') continue
      const bases = this.#dynamicAnchors.get(anchor) ?? new Set()
      this.#dynamicAnchors.set(anchor, bases.add(base))
    }
    return base
  }

  /** TypeBox repeats a schema with its `$id` wherever it is used, so equal schemas may share a name. */
  #register(subschema: Subschema, keyword: string, uri: string): void {
    const other = this.#named.get(uri)
    if (other === undefined) this.#named.set(uri, subschema)
    else if (other.schema !== subschema.schema && JSON.stringify(other.schema) !== JSON.stringify(subschema.schema)) {
      const where = other.pointer === '' ? 'the schema itself' : other.pointer
      this.#refuse(subschema.pointer, keyword, `is already the name of another schema, ${where}`)
    }
  }

  #resolveAll({ schema, pointer }: Subschema): void {
    const keywords = this.#dialect === 'draft-07' ? ['$ref'] : ['$ref', '$dynamicRef']
    const targets: Target[] = []
    for (const keyword of keywords) {
      const reference = getOwn(schema, keyword)
      if (typeof reference !== 'string') continue
      const [path, fragment] = splitReference(reference)
      const uri = resolveUri(path, this.#bases.get(schema) ?? NO_BASE)
      const found = uri === undefined ? undefined : this.#find(uri, fragment)
      const choices = this.#dynamicAnchors.get(fragment)
      if (uri === undefined || found === undefined) {
        this.#refuse(pointer, keyword, `refers to "${reference}", which is not a schema inside this schema`)
      } else if (keyword === '$dynamicRef' && choices?.has(uri) && choices.size > 1) {
        const advice = 'use a unique name for each, and "$ref"'
        this.#refuse(
          pointer,
          keyword,
          `could refer to several schemas with the $dynamicAnchor "${fragment}"; ${advice}`,
        )
      } else targets.push(found.schema)
    }
    if (targets.length > 0) this.#targets.set(schema, targets)
  }

  #find(uri: string, fragment: string): Found | undefined {
    if (!fragment.startsWith('/')) return this.#named.get(`${uri}#${fragment}`)
    const resource = this.#named.get(`${uri}#`)
    const found = resource && atPointer(resource, fragment)
    if (isRecord(found?.schema) && !this.#bases.has(found.schema)) {
      this.#add({ schema: found.schema, location: 'definition', pointer: found.pointer }, uri)
    }
    return found
  }

  #refuse(pointer: string, keyword: string, message: string): void {
    this.issues.push(keywordIssue(pointer, keyword, 'REFERENCE', message))
  }
}

/** A URI reference without its fragment, and the decoded fragment. */
function splitReference(reference: string): [path: string, fragment: string] {
  const hash = reference.indexOf('#')
  if (hash < 0) return [reference, '']
  const fragment = reference.slice(hash + 1)
  try {
    return [reference.slice(0, hash), decodeURIComponent(fragment)]
  } catch {
    // A stray percent sign is literal.
    return [reference.slice(0, hash), fragment]
  }
}

function resolveUri(path: string, base: string): string | undefined {
  if (path === '') return base
  return URL.canParse(path, base) ? new URL(path, base).href : undefined
}

function atPointer(start: Subschema, fragment: string): Found | undefined {
  let at: unknown = start.schema
  let pointer = start.pointer
  for (const segment of pointerSegments(fragment)) {
    if (typeof at !== 'object' || at === null) return undefined
    at = getOwn(at, segment)
    pointer = pointerTo(pointer, segment)
  }
  return isRecord(at) || typeof at === 'boolean' ? { schema: at, pointer } : undefined
}
