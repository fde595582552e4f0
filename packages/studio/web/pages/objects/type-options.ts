import type { MinionType } from '../../data/records.ts'

/** Types to choose from, by their slugs; where two have the same name, with the slug behind it. */
export function typeOptions(
  types: readonly MinionType[],
): readonly { readonly value: string; readonly label: string }[] {
  return types.map(({ slug, name }) => {
    const isAmbiguous = types.some((other) => other.slug !== slug && other.name === name)
    return { value: slug, label: isAmbiguous ? `${name} (${slug})` : name }
  })
}
