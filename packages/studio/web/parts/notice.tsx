import type { ReactNode } from 'react'

export interface NoticeProps {
  readonly kind: 'good' | 'warn' | 'bad' | 'plain'
  readonly title: string
  readonly children?: ReactNode
}

/** Something that the user should know, where it matters. */
export function Notice({ kind, title, children }: NoticeProps) {
  return (
    <div className={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <strong>{title}</strong>
      {children && <div>{children}</div>}
    </div>
  )
}
