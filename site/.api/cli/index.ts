export * from '@minions/cli'
