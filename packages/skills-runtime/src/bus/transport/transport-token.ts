import { createToken } from '@minions/core/plugin'
import type { MessageTransport } from './transport.js'

/** The service that carries messages between the processes of an app. Without it they stay in the process. */
export const messageTransport = createToken<MessageTransport>('@minions/skills-runtime/transport')
