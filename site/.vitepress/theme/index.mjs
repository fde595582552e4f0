import mermaidScript from '@mermaid-js/tiny/dist/mermaid.tiny.js?url'
import { useRoute } from 'vitepress'
import DefaultTheme from 'vitepress/theme'
import { nextTick, onMounted, watch } from 'vue'
import CodePlayground from './CodePlayground.vue'

/** Draws the diagrams of the page. The library is loaded only where there is one. */
async function drawDiagrams() {
  const diagrams = document.querySelectorAll('pre.mermaid:not([data-processed])')
  if (diagrams.length === 0) return
  const mermaid = await loadMermaid()
  const dark = document.documentElement.classList.contains('dark')
  mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', theme: dark ? 'dark' : 'neutral' })
  await mermaid.run({ nodes: [...diagrams] })
}

/** Mermaid is a script that sets a global; as a module it does not run. */
function loadMermaid() {
  if (globalThis.mermaid) return globalThis.mermaid
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = mermaidScript
    script.onload = () => resolve(globalThis.mermaid)
    script.onerror = () => reject(new Error(`${mermaidScript} cannot be loaded, so the diagrams stay text.`))
    document.head.append(script)
  })
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
