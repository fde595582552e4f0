export * from '@minions/core/coordination'
