import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Connected } from './app/connected.tsx'
import { router } from './app/router.tsx'
import { styleNonce } from './app/style-nonce.ts'
import { applyTheme, readTheme } from './app/theme.ts'
import { borrowKey, lendKey } from './data/key-exchange.ts'
import { markBeginning } from './data/live.ts'
import { queryClient } from './data/query-client.ts'
import { takeKeyFromAddress } from './data/session.ts'
import './styles/index.css'

takeKeyFromAddress()
await borrowKey()
lendKey()
setNonce(styleNonce())
applyTheme(readTheme())

markBeginning()
// Fetches the page and what it shows while the server says what the key may do.
void router.load()

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <Connected>
          <RouterProvider router={router} />
        </Connected>
      </QueryClientProvider>
    </StrictMode>,
  )
}
