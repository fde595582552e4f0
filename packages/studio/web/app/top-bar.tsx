import { useState } from 'react'
import { isOnline } from '../data/connection.ts'
import { useOperations } from '../data/operations.ts'
import { useStore } from '../data/store.ts'
import { openPalette } from './palette/palette-store.ts'
import { TenantChoice } from './tenant-choice.tsx'
import { chooseTheme, readTheme, type Theme } from './theme.ts'

export function TopBar() {
  const online = useStore(isOnline)
  const { data: operations = [] } = useOperations()
  const isReadOnly = operations.every(({ access }) => access === 'read')
  return (
    <header className="top-bar">
      <button type="button" className="search-button" onClick={openPalette}>
        <span>Search or go to …</span>
        <kbd>Ctrl K</kbd>
      </button>
      <div className="top-bar-end">
        {isReadOnly && <span className="badge plain">read only</span>}
        <span className={`badge ${online ? 'good' : 'bad'}`} role="status">
          {online ? 'live' : 'offline, reconnecting'}
        </span>
        <TenantChoice />
        <ThemeChoice />
      </div>
    </header>
  )
}

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }
const SIGN: Readonly<Record<Theme, string>> = { system: '◐', light: '☀', dark: '☾' }

function ThemeChoice() {
  const [theme, setTheme] = useState(readTheme)
  const next = () => {
    chooseTheme(NEXT[theme])
    setTheme(NEXT[theme])
  }
  return (
    <button type="button" className="icon" onClick={next} aria-label={`Theme: ${theme}`} title={`Theme: ${theme}`}>
      <span aria-hidden="true">{SIGN[theme]}</span>
    </button>
  )
}
