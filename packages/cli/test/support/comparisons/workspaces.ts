import { type Comparisons, same } from './comparison.js'

const W = { workspace: 'w' }

/** Commands for workspaces. */
export const workspacesComparisons: Comparisons = {
  'workspace add': () => [
    same(['--name', 'v', '--description', 'd'], 'workspaces.add', { name: 'v', description: 'd' }),
  ],
  'workspace list': () => [same([], 'workspaces.list', {})],
  'workspace show': () => [same(['w'], 'workspaces.get', W)],
  'workspace update': () => [same(['w', '--description', 'd'], 'workspaces.update', { ...W, description: 'd' })],
  'workspace remove': () => [same(['w'], 'workspaces.remove', W)],
  'workspace set-state': () => [
    same(['w', '--key', 'k', '--value', '[1]'], 'workspaces.setState', { ...W, key: 'k', value: [1] }),
  ],
  'workspace add-rule': () => [
    same(['w', '--name', 'r', '--priority', 'HIGH', '--action', '{"type":"x"}'], 'workspaces.addRule', {
      ...W,
      name: 'r',
      priority: 'HIGH',
      action: { type: 'x' },
    }),
  ],
  'workspace remove-rule': () => [
    same(['w', 'Check knowledge'], 'workspaces.removeRule', { ...W, rule: 'Check knowledge' }),
  ],
  'workspace evaluate': () => [same(['w'], 'workspaces.evaluate', W)],
  'workspace explain': () => [same(['w'], 'workspaces.explain', W)],
  'workspace context': () => [same(['w'], 'workspaces.context', W)],
  'workspace sessions': () => [
    same(['w'], 'workspaces.sessions', W),
    same(['w', 'monday'], 'workspaces.messages', { ...W, session: 'monday' }),
  ],
}
