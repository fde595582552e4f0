export { AGENTS, type Agent, type AgentName, currentEnvironment, type Environment } from './agents.js'
export { changedLines } from './changed-lines.js'
export {
  configurationFile,
  type InstallPlan,
  type InstallRequest,
  planInstall,
  type ServerEntry,
} from './plan-install.js'
