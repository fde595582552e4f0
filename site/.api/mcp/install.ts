export * from '@minions/mcp/install'
