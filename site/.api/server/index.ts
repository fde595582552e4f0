export * from '@minions/server'
