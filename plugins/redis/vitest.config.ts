import { fileURLToPath } from 'node:url'
import { vitestConfig } from '../../vitest.shared.ts'

export default vitestConfig({
  setupFiles: [fileURLToPath(new URL('./test/support/no-connections.ts', import.meta.url))],
})
