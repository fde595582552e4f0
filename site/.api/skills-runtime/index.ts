export * from '@minions/skills-runtime'
