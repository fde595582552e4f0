import { envelopeOf, MISSIONS, TENANT } from '../sample-store.js'
import { type Comparisons, items, same } from './comparison.js'

const { ended, begun } = MISSIONS
const tenant = { caller: ['--tenant', TENANT] }

/** Commands for missions, artifacts and proposals. */
export const missionsComparisons: Comparisons = {
  'colony validate': () => {
    const [right, wrong] = [envelopeOf('fresh'), { ...envelopeOf('fresh'), user_goal: 5 }]
    return [
      same(['m.json'], 'artifacts.validate', { artifacts: [right] }, { files: { 'm.json': JSON.stringify(right) } }),
      same(['m.json'], 'artifacts.validate', { artifacts: [wrong] }, { files: { 'm.json': JSON.stringify(wrong) } }),
    ]
  },
  'colony run': () => {
    const envelope = envelopeOf('fresh')
    return [same(['m.json'], 'missions.run', { envelope }, { files: { 'm.json': JSON.stringify(envelope) } })]
  },
  'colony resume': () => [same([begun], 'missions.resume', { mission: begun }, tenant)],
  'colony cancel': () => [same([begun], 'missions.cancel', { mission: begun }, tenant)],
  'colony pause': () => [same([begun], 'missions.pause', { mission: begun }, tenant)],
  'colony list': () => [same([], 'missions.list', {}, { ...tenant, ...items })],
  'colony status': () => [same([ended], 'missions.status', { mission: ended }, tenant)],
  'colony show': () => [same([ended], 'missions.get', { mission: ended }, tenant)],
  'colony replay': () => [same([ended], 'missions.replay', { mission: ended }, tenant)],
  'colony graph': () => [same([ended], 'missions.graph', { mission: ended }, tenant)],
  'artifacts list': () => [
    same([], 'artifacts.list', {}, { ...tenant, ...items }),
    same(
      ['--mission', ended, '--kind', 'worker_result', '--limit', '1'],
      'artifacts.list',
      {
        mission: ended,
        kind: 'worker_result',
        limit: 1,
      },
      { ...tenant, ...items },
    ),
  ],
  'artifacts show': () => [
    same([ended, 'mission_envelope'], 'artifacts.get', { mission: ended, kind: 'mission_envelope' }, tenant),
  ],
  'proposals list': () => [same(['--status', 'open'], 'proposals.list', { status: 'open' }, { ...tenant, ...items })],
  'proposals show': ({ proposal }) => [same([proposal], 'proposals.get', { proposal }, tenant)],
  ...Object.fromEntries(
    ['approve', 'reject'].map((verb): [string, Comparisons[string]] => [
      `proposals ${verb}`,
      ({ proposal }) => [
        same(
          [proposal, '--reason', 'r'],
          `proposals.${verb}`,
          { proposal, reason: 'r' },
          {
            caller: ['--tenant', TENANT, '--by', 'ada'],
          },
        ),
      ],
    ]),
  ),
}
