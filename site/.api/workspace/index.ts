export * from '@minions/workspace'
