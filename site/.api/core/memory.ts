export * from '@minions/core/memory'
