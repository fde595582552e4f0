export * from '@minions/storage-postgres'
