export * from '@minions/mcp'
