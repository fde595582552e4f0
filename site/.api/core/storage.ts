export * from '@minions/core/storage'
