import { vitestConfig } from '../../vitest.shared.ts'

// The files share no state, so the modules they share are loaded once.
export default vitestConfig({ isolate: false })
