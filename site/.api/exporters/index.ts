export * from '@minions/exporters'
