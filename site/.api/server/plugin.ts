export * from '@minions/server/plugin'
