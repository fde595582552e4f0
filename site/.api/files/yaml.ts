export * from '@minions/files/yaml'
