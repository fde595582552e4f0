import type { Artifact } from '../../data/records.ts'
import { idOf } from './use-artifacts.ts'

/** Artifacts of a mission that an artifact names, wherever it does. */
export function referencesOf(artifact: Artifact, artifacts: readonly Artifact[]): readonly Artifact[] {
  const texts = new Set<string>()
  collect(artifact, texts)
  return artifacts.filter((other) => other !== artifact && idOf(other) !== other.schema_name && texts.has(idOf(other)))
}

function collect(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string') texts.add(value)
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) collect(each, texts)
}
