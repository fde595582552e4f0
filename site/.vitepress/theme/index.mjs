import { useRoute } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { nextTick, onMounted, watch } from 'vue'
import CodePlayground from './CodePlayground.vue'

/** Draws the diagrams of the page. The library is loaded only where there is one. */
async function drawDiagrams() {
  const diagrams = document.querySelectorAll('pre.mermaid:not([data-processed])')
  if (diagrams.length === 0) return
  const { default: mermaid } = await import('@mermaid-js/tiny')
  const dark = document.documentElement.classList.contains('dark')
  mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', theme: dark ? 'dark' : 'neutral' })
  await mermaid.run({ nodes: [...diagrams] })
}

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('CodePlayground', CodePlayground)
  },
  setup() {
    const route = useRoute()
    onMounted(drawDiagrams)
    watch(
      () => route.path,
      () => nextTick(drawDiagrams),
    )
  },
}
