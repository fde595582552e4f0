import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Toasts } from '../parts/toasts.tsx'
import { CommandPalette } from './palette/command-palette.tsx'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'

export function Shell() {
  const content = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    // The keyboard goes on in the new page, not where the link to it was.
    content.current?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <Sidebar />
      <div className="main">
        <TopBar />
        <main id="content" ref={content} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <CommandPalette />
      <Toasts />
    </div>
  )
}

export function NotFound() {
  return (
    <div className="empty">
      <h1 className="empty-title">Page not found</h1>
      <p>
        Go to the <Link to="/">overview</Link>, or press Ctrl K to search.
      </p>
    </div>
  )
}
