import { Link, Outlet } from '@tanstack/react-router'
import { Toasts } from '../parts/toasts.tsx'
import { CommandPalette } from './palette/command-palette.tsx'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'

/** What surrounds every page. */
export function Shell() {
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <Sidebar />
      <div className="main">
        <TopBar />
        <main id="content" tabIndex={-1}>
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
      <h1 className="empty-title">There is nothing here</h1>
      <p>
        Go to the <Link to="/">overview</Link>, or find what you look for with Ctrl K.
      </p>
    </div>
  )
}
