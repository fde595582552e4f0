import { type ReactNode, useEffect } from 'react'

export interface PageHeadProps {
  readonly title: string
  /** One line below the title. */
  readonly about?: ReactNode
  /** What can be done here. */
  readonly children?: ReactNode
}

/** The head of a page; its title is that of the window too. */
export function PageHead({ title, about, children }: PageHeadProps) {
  useEffect(() => {
    document.title = `${title} · Minions Studio`
  }, [title])
  return (
    <header className="page-head">
      <div>
        <h1>{title}</h1>
        {about && <p className="about">{about}</p>}
      </div>
      {children && <div className="actions">{children}</div>}
    </header>
  )
}
