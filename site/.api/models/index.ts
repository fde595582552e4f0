export * from '@minions/models'
