import { lazy } from 'react'
import { useParams, useSearch } from 'wouter'
import { MEMBERS } from '@/api/data'
import { AreaGate, type KindsOfArea } from '@/components/data/area-gate'
import { Changes } from '@/components/data/changes'
import { Page } from '@/components/layout/page'
import { Sections } from '@/components/layout/sections'
import { ProjectList } from '@/components/projects/project-list'
import { ProjectView, TaskOfLink, type View } from '@/components/projects/project-view'
import { textOf } from '@/components/data/values'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton } from '@/components/ui/skeleton'
import { BackLink } from '@/components/ui/text-link'
import { optionsOf, useAllRows, useRowAt } from '@/hooks/use-data'
import { useMemberOptions } from '@/hooks/use-members'
import { useProgress } from '@/hooks/use-projects'
import { useSession } from '@/hooks/use-session'
import { useWorkspace } from '@/hooks/use-workspace'
import { words } from '@/words/en/projects'
import { say } from '@/words/say'

const NotFoundPage = lazy(() => import('./not-found'))

const VIEWS: readonly View[] = ['board', 'list', 'people', 'changes']

export default function ProjectsPage() {
  const { id, view: asked = 'board' } = useParams()
  const workspace = useWorkspace()
  const view = VIEWS.find((one) => one === asked)
  const isList = id === undefined || id === 'changes'
  const { data: project } = useRowAt('projects', id ?? '', { enabled: !isList })
  const name = isList ? undefined : textOf(project?.fields.name)
  if (view === undefined) return <NotFoundPage />
  const sections = isList
    ? [
        { slug: 'list', to: '/projects', label: words.sections.list },
        { slug: 'changes', to: '/projects/changes', label: words.sections.changes },
      ]
    : VIEWS.map((one) => ({ slug: one, to: one === 'board' ? `/projects/${id}` : `/projects/${id}/${one}`, label: words.views[one] }))
  return (
    <AreaGate area="projects" notYours={say(words.notYours, { workspace: workspace.name })} body={(kinds, mayChange) => <ProjectsBody id={id} view={view} kinds={kinds} mayChange={mayChange} />}>
      {(body) => (
        <Page
          title={name === undefined || name === '' ? words.projects : name}
          description={isList ? say(words.projectsDescription, { workspace: workspace.name }) : <BackLink to="/projects">{words.toProjects}</BackLink>}
          isWide={!isList && (view === 'board' || view === 'people')}
        >
          <Sections label={isList ? words.projects : words.viewsLabel} current={isList ? (id ?? 'list') : view} sections={sections} />
          {body}
        </Page>
      )}
    </AreaGate>
  )
}

interface ProjectsBodyProps {
  /** Of the project that is open, or `changes`. */
  id: string | undefined
  view: View
  kinds: KindsOfArea
  mayChange: boolean
}

function ProjectsBody({ id, view, kinds, mayChange }: ProjectsBodyProps) {
  const { profile } = useSession()
  const projects = useAllRows('projects')
  const { data: progress = [] } = useProgress()
  const task = new URLSearchParams(useSearch()).get('task') ?? ''
  const choices = { [MEMBERS]: useMemberOptions(), projects: optionsOf(projects.data) }
  if (id === 'changes') return <Changes kinds={kinds.all.filter(({ area }) => area === 'projects')} choices={choices} mayUndo={mayChange} />
  if (id === undefined && task !== '') return <TaskOfLink id={task} />
  if (id !== undefined) {
    return (
      <ProjectView
        key={id}
        id={id}
        view={view}
        projects={kinds.one('projects')}
        tasks={kinds.one('project_tasks')}
        progress={progress.find(({ project_id }) => project_id === id)}
        choices={choices}
        mayChange={mayChange}
      />
    )
  }
  if (projects.data !== undefined) {
    return <ProjectList kind={kinds.one('projects')} rows={projects.data} progress={progress} choices={choices} mayChange={mayChange} initial={{ lead_id: profile.id }} />
  }
  if (!projects.isPending) return <ErrorState title={words.projectsNotLoaded} error={projects.error} retrying={projects.isFetching} onRetry={() => void projects.refetch()} />
  return (
    <div role="status">
      <span className="sr-only">{words.loadingProject}</span>
      <Skeleton className="h-64" />
    </div>
  )
}
