import { existsSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'

const content = new URL('../.content/', import.meta.url)
const { packages, repository } = JSON.parse(readFileSync(new URL('navigation.json', content), 'utf8'))
const hasApi = existsSync(new URL('api', content))

export default defineConfig({
  title: 'Minions',
  description: 'One typed object graph for AI agents.',
  srcDir: '.content',
  outDir: 'dist',
  cacheDir: '.cache',
  cleanUrls: true,
  ignoreDeadLinks: false,
  markdown: {
    config(markdown) {
      // Templates in code are text, not expressions of the page.
      markdown.renderer.rules.code_inline = (tokens, index) =>
        `<code v-pre>${markdown.utils.escapeHtml(tokens[index].content)}</code>`
      const fence = markdown.renderer.rules.fence
      markdown.renderer.rules.fence = (tokens, index, ...rest) => {
        const { info, content: code } = tokens[index]
        if (info.trim() !== 'mermaid') return fence(tokens, index, ...rest)
        return `<pre class="mermaid" v-pre>${markdown.utils.escapeHtml(code)}</pre>`
      }
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: repository }],
    nav: [
      { text: 'Guides', link: '/guide/one-package' },
      { text: 'Concepts', link: '/concepts' },
      { text: 'Operations', link: '/operations' },
      { text: 'Errors', link: '/errors' },
      ...(hasApi ? [{ text: 'API', link: '/api/' }] : []),
      { text: 'Playground', link: '/playground' },
    ],
    sidebar: [
      {
        text: 'Getting started',
        items: [
          { text: 'Use one package', link: '/guide/one-package' },
          { text: 'Write a plugin', link: '/guide/write-a-plugin' },
          { text: 'Write a storage backend', link: '/guide/write-a-backend' },
          { text: 'Five minutes in code', link: '/guide/code' },
          { text: 'Five minutes at the terminal', link: '/guide/terminal' },
        ],
      },
      {
        text: 'Guides',
        items: [
          { text: 'Concepts', link: '/concepts' },
          { text: 'Write an operation', link: '/guide/write-an-operation' },
          { text: 'Choose a backend', link: '/guide/choose-a-backend' },
          { text: 'From one process to many machines', link: '/many-machines' },
          { text: 'Playground', link: '/playground' },
        ],
      },
      { text: 'Packages', collapsed: false, items: packages },
      {
        text: 'Reference',
        items: [
          { text: 'Operations', link: '/operations' },
          { text: 'Error codes', link: '/errors' },
          ...(hasApi ? [{ text: 'API', link: '/api/' }] : []),
          { text: 'Measurements', link: '/measurements' },
        ],
      },
      {
        text: 'Project',
        items: [
          { text: 'Architecture', link: '/project/architecture' },
          { text: 'Decisions', link: '/decisions/' },
          { text: 'Contributing', link: '/project/contributing' },
          { text: 'Security', link: '/project/security' },
        ],
      },
    ],
  },
})
