export * from '@minions/models/agents'
