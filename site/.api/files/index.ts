export * from '@minions/files'
