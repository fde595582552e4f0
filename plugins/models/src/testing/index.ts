export {
  type FakeModelServer,
  type FakeModelServerOptions,
  type FakeReply,
  type FakeRequest,
  type FakeToolCall,
  startFakeModelServer,
} from './fake-model-server.js'
export type { FakeFault } from './faults.js'
