export * from '@minions/skills-runtime/testing'
