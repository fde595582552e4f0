export * from '@minions/prompts'
