import { useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { call, connection, tenant } from '../../data/connection.ts'
import { describeError } from '../../data/query-client.ts'
import { useStore } from '../../data/store.ts'
import { Failure } from '../../parts/failure.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { UnreadyPage } from '../../parts/unready.tsx'
import { OperationRunner } from '../operations/operation-runner.tsx'
import { usePluginPagesCall } from './plugin-pages.ts'

/** A page that a plugin adds: the form of an operation, or a module of its own. */
export function PluginPage() {
  const { id } = useParams({ from: '/pages/$id' })
  const { data, error, isLoading } = usePluginPagesCall()
  if (!data && (isLoading || error)) return <UnreadyPage error={error} what="The page" />
  const page = data?.find((each) => each.id === id)
  if (!page) return <UnreadyPage error={`No plugin adds a page “${id}”.`} what="The page" />
  return (
    <>
      <PageHead title={page.title} about={page.description ?? `A page of ${page.plugin}.`} />
      {page.operation !== undefined && <OperationRunner name={page.operation} />}
      {page.module !== undefined && <ModulePage key={page.id} path={page.module} />}
    </>
  )
}

interface PageModule {
  mount(element: HTMLElement, studio: object): undefined | (() => void)
}

function ModulePage({ path }: { readonly path: string }) {
  const element = useRef<HTMLDivElement>(null)
  const within = useStore(tenant)
  const [problem, setProblem] = useState<string>()
  useEffect(() => {
    let unmount: (() => void) | undefined
    let isGone = false
    const load = async () => {
      const module = (await import(/* @vite-ignore */ path)) as PageModule
      if (isGone || !element.current) return
      const studio = { call, events: connection().events, tenant: within }
      unmount = module.mount(element.current, studio) ?? undefined
    }
    load().catch((error: unknown) => setProblem(describeError(error)))
    return () => {
      isGone = true
      unmount?.()
      element.current?.replaceChildren()
    }
  }, [path, within])
  return (
    <>
      <Failure title="The plugin's page failed" error={problem} />
      <div ref={element} />
    </>
  )
}
