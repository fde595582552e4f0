export * from '@minions/models/testing'
