export * from '@minions/colony'
