export * from '@minions/prompts/reports'
