export * from '@minions/storage-fs'
