export * from '@minions/core/plugin'
