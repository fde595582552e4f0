import { type Comparisons, same } from './comparison.js'

/** Commands for skills, subagents and executions. */
export const skillsComparisons: Comparisons = {
  'skills list': () => [same(['--tag', 'motion'], 'skills.list', { tags: ['motion'] })],
  'skills show': () => [same(['walk'], 'skills.get', { skill: 'walk' })],
  'skills run': () => [
    same(['walk', '--params', '{"a":1}', '--name', 'x'], 'skills.run', { skill: 'walk', params: { a: 1 }, name: 'x' }),
    same(['walk', '--chain'], 'skills.run', { skill: 'walk', chain: true }),
  ],
  'skills deps': () => [same(['walk'], 'skills.deps', { skill: 'walk' })],
  'agents list': () => [
    same([], 'agents.list', {}),
    same(['--state', 'running', '--started-after', '2000-01-01', '--limit', '1'], 'agents.list', {
      state: ['running'],
      startedAfter: '2000-01-01',
      limit: 1,
    }),
  ],
  'agents show': ({ agent }) => [same([agent], 'agents.get', { agent })],
  'agents cancel': ({ agent }) => [same([agent], 'agents.cancel', { agent })],
  'agents pause': ({ agent }) => [same([agent], 'agents.pause', { agent })],
  'agents resume': ({ agent }) => [same([agent], 'agents.resume', { agent })],
  'cluster status': () => [same([], 'cluster.status', {})],
  'executions list': ({ agent }) => [
    same(['--agent', agent, '--started-before', '2999-01-01'], 'executions.list', {
      agent,
      startedBefore: '2999-01-01',
    }),
    same(['--skill', 'walk', '--status', 'failed'], 'executions.list', { skill: 'walk', status: ['failed'] }),
  ],
  'executions show': ({ execution }) => [
    same([execution], 'executions.get', { execution }),
    same([execution, '--logs', '--level', 'info'], 'executions.get', { execution, logs: true, level: 'info' }),
  ],
}
