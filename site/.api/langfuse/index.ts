export * from '@minions/langfuse'
