export * from '@minions/core/schema'
