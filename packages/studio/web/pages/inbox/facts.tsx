import { labelOf } from '../../forms/schema.ts'

export interface FactsProps {
  readonly label: string
  readonly values: Readonly<Record<string, unknown>>
}

/** What exactly will be done, value by value. */
export function Facts({ label, values }: FactsProps) {
  return (
    <table className="plain-table facts">
      <caption className="sr-only">{label}</caption>
      <tbody>
        {Object.entries(values).map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{labelOf(name)}</th>
            <td className="text">{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
