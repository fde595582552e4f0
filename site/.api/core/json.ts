export * from '@minions/core/json'
