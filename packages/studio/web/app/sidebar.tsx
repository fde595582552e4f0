import { Link } from '@tanstack/react-router'
import { usePluginPages } from '../pages/plugins/plugin-pages.ts'
import { useNavigationItems } from './navigation.ts'

export function Sidebar() {
  const navigation = useNavigationItems()
  const pages = usePluginPages()
  return (
    <nav className="sidebar" aria-label="Pages">
      <Link to="/" className="brand">
        <img src="/studio/icon.svg" alt="" width={24} height={24} />
        Minions Studio
      </Link>
      <ul>
        {navigation.map(({ title, to }) => (
          <li key={title}>
            <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
              {title}
            </Link>
          </li>
        ))}
      </ul>
      {pages.length > 0 && (
        <>
          <p className="sidebar-title" id="plugin-pages">
            Plugins
          </p>
          <ul aria-labelledby="plugin-pages">
            {pages.map(({ id, title }) => (
              <li key={id}>
                <Link to="/pages/$id" params={{ id }}>
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </nav>
  )
}
