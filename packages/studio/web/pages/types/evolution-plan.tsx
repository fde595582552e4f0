import { Link } from '@tanstack/react-router'
import { useTitles } from '../objects/use-titles.ts'

/** What another schema means for the objects of a type. */
export interface EvolutionReport {
  readonly changes: {
    readonly added: readonly string[]
    readonly removed: readonly string[]
    readonly retyped: readonly { readonly field: string; readonly from: string; readonly to: string }[]
    readonly newlyRequired: readonly string[]
    readonly revalidated: readonly string[]
  }
  readonly checked: number
  readonly minions: readonly ObjectChange[]
}

interface ObjectChange {
  readonly id: string
  readonly movedToLegacy: readonly string[]
  readonly restored: readonly string[]
  readonly transformed: readonly string[]
  readonly defaulted: readonly string[]
  readonly missingRequired: readonly string[]
  readonly keptInvalid: readonly string[]
}

/** Objects that a plan lists. */
const MOST = 50

/** What a change of a type would do, field by field and object by object. */
export function EvolutionPlan({ plan }: { readonly plan: EvolutionReport }) {
  const { changes, checked, minions } = plan
  const shown = minions.slice(0, MOST)
  const titleOf = useTitles(shown.map(({ id }) => id))
  return (
    <>
      <p>
        <strong>
          {minions.length.toLocaleString()} of {checked.toLocaleString()} {checked === 1 ? 'object' : 'objects'}
        </strong>{' '}
        would change.
      </p>
      <h3>Fields</h3>
      <ul className="findings">
        {fieldLines(changes).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {shown.length > 0 && (
        <>
          <h3>Objects</h3>
          <ul className="findings">
            {shown.map((object) => (
              <li key={object.id}>
                <Link to="/objects/$id" params={{ id: object.id }}>
                  {titleOf(object.id)}
                </Link>{' '}
                {objectLines(object).join('; ')}
              </li>
            ))}
          </ul>
          {minions.length > MOST && <p className="faint">And {(minions.length - MOST).toLocaleString()} more.</p>}
        </>
      )}
    </>
  )
}

function fieldLines({ added, removed, retyped, newlyRequired, revalidated }: EvolutionReport['changes']): string[] {
  return [
    ...added.map((name) => `${name} is added`),
    ...removed.map((name) => `${name} is removed; its values are kept aside`),
    ...retyped.map(({ field, from, to }) => `${field} changes from ${from} to ${to}`),
    ...newlyRequired.map((name) => `${name} becomes required`),
    ...revalidated.map((name) => `${name} has other options or validation`),
  ]
}

function objectLines(object: ObjectChange): string[] {
  const parts: readonly (readonly [readonly string[], string])[] = [
    [object.defaulted, 'gets the default for'],
    [object.restored, 'gets back'],
    [object.transformed, 'is converted in'],
    [object.movedToLegacy, 'has its value set aside for'],
    [object.missingRequired, 'lacks a value for'],
    [object.keptInvalid, 'keeps an invalid value for'],
  ]
  return parts.filter(([names]) => names.length > 0).map(([names, verb]) => `${verb} ${names.join(', ')}`)
}
