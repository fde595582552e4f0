export * from '@minions/audit-log'
