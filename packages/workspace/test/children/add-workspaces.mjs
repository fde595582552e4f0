// Adds workspaces one by one: add-workspaces.mjs <configDir> <prefix> <count>
import { WorkspaceManager } from '../../dist/index.js'

const [configDir, prefix, count] = process.argv.slice(2)
const manager = new WorkspaceManager(configDir)
for (let index = 0; index < Number(count); index++) {
  const workspaces = await manager.loadWorkspaces()
  const workspace = manager.createWorkspace(`${prefix}-${index}`)
  await manager.saveWorkspaces({ ...workspaces, [workspace.id]: workspace })
}
