export * from '@minions/colony-contracts'
