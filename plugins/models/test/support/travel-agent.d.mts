import type { AgentDefinition } from '@minions/models/agents'

export declare function travelAgent(ledger: string): AgentDefinition
