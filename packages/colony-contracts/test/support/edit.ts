import { type ArtifactName, artifactExamples } from '../../src/index.js'

export type Json = Record<string, unknown>

export const artifactNames = Object.keys(artifactExamples) as ArtifactName[]

/** A fresh copy of an example, free to be broken. */
export function example(name: ArtifactName): Json {
  return structuredClone(artifactExamples[name]) as unknown as Json
}

/** Sets or, without a value, removes what a path like `tasks/0/task_id` leads to. */
export function edit(artifact: Json, path: string, ...value: [unknown?]): Json {
  const keys = path.split('/')
  const last = keys.pop() as string
  let parent = artifact as Record<string, unknown>
  for (const key of keys) parent = parent[key] as Record<string, unknown>
  if (value.length === 0) delete parent[last]
  else parent[last] = value[0]
  return artifact
}

/** Reads what a JSON Pointer leads to. */
export function at(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((parent, key) => (parent as Json)[key], value)
}
