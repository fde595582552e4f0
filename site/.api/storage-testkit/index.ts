export * from '@minions/storage-testkit'
