export * from '@minions/storage-sqlite'
