export * from '@minions/core/operations'
