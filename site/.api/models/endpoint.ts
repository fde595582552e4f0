export * from '@minions/models/endpoint'
