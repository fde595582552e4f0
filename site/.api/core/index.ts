export * from '@minions/core'
