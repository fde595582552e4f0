// Dies in the middle of an update, leaving the lock behind: die-with-lock.mjs <configDir>
import { WorkspaceManager } from '../../dist/index.js'

await new WorkspaceManager(process.argv[2]).update(() => process.exit(0))
