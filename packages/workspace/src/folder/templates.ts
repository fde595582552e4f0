/** The heading of HISTORY.md, also after rotation. */
export const HISTORY_HEADING = '# History\n\n'

/** The files of a new folder, by their path below its root. */
export const TEMPLATES: Readonly<Record<string, string>> = {
  'prompt/AGENTS.md': `# Agents

What agents in this workspace are for, and when a task counts as done.

- Say what you are about to do before you do it.
- Finish one task before beginning the next.
- When something fails, say what failed and what you tried.
`,
  'prompt/USER.md': `# User

Who you work for and how they like their answers.

- Name:
- Language:
- Preferred form of answers:
`,
  'prompt/TOOLS.md': `# Tools

Which tools may be used here, and how far.

- Read and write files below \`data/\` only.
- Ask before anything that cannot be undone.
`,
  'prompt/IDENTITY.md': `# Identity

What this workspace is about: its purpose, its goals and its limits.
`,
  'memory/MEMORY.md': `# Memory

What stays true from one session to the next.

## Facts

## Decisions

## Preferences
`,
  'memory/HISTORY.md': HISTORY_HEADING,
  'skills/core/SKILL.md': `---
name: core
description: How to work in this workspace when no other skill fits.
---

# Core

1. Read the task again and name what is missing.
2. Look into the memory and the data folder before asking.
3. Answer briefly; add details when asked.
`,
}
