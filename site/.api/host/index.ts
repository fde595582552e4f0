export * from '@minions/host'
