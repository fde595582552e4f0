import { by, type Comparisons, items, same } from './comparison.js'

const rules = [{ name: 'searches cost money', action: 'ask', kind: 'tool', call: 'external_search' }]
const files = { 'p.json': JSON.stringify(rules) }

/** Commands for approvals and the policy. */
export const approvalsComparisons: Comparisons = {
  'approvals list': () => [same([], 'approvals.list', { status: 'pending' }, items)],
  'approvals show': ({ approval }) => [same([approval], 'approvals.get', { approval })],
  ...Object.fromEntries(
    (['approve', 'reject'] as const).map((decision): [string, Comparisons[string]] => [
      `approvals ${decision}`,
      ({ approval }) => [
        same(
          [approval, '--reason', 'r'],
          'approvals.decide',
          { decisions: [{ approval, decision, reason: 'r' }] },
          { ...by, ...items },
        ),
      ],
    ]),
  ),
  'policy explain': () => [same(['external_search'], 'policy.explain', { kind: 'tool', name: 'external_search' })],
  'policy show': () => [same([], 'policy.get', {})],
  'policy test': () => [same(['p.json'], 'policy.test', { rules }, { files })],
  'policy publish': () => [same(['p.json'], 'policy.publish', { rules }, { files, ...by })],
}
