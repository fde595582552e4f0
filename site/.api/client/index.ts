export * from '@minions/client'
