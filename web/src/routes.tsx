// Every address of the app. Pages are loaded when they are first opened.
import { lazy, Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { SessionGate, WorkspaceGate } from '@/components/auth/gates'
import { AppLayout } from '@/components/layout/app-layout'
import { Splash } from '@/components/layout/brand'
import { HOME_PATH } from '@/lib/paths'
import { AgentsProvider } from '@/providers/agents-provider'

const SignInPage = lazy(() => import('@/pages/sign-in'))
const SignInLinkPage = lazy(() => import('@/pages/sign-in-link'))
const SignUpPage = lazy(() => import('@/pages/sign-up'))
const InvitationPage = lazy(() => import('@/pages/invitation'))
const DashboardPage = lazy(() => import('@/pages/dashboard'))
const MyAgentsPage = lazy(() => import('@/pages/my-agents'))
const DiscoverPage = lazy(() => import('@/pages/discover'))
const PendingApprovalsPage = lazy(() => import('@/pages/pending-approvals'))
const TransitionsPage = lazy(() => import('@/pages/transitions'))
const TaskPage = lazy(() => import('@/pages/task'))
const AgentChatPage = lazy(() => import('@/pages/agent-chat'))
const MissingAgentPage = lazy(() => import('@/pages/missing-agent'))
const AgentSettingsPage = lazy(() => import('@/pages/agent-settings'))
const NewAgentPage = lazy(() => import('@/pages/new-agent'))
const TeamsPage = lazy(() => import('@/pages/teams'))
const TeamEditorPage = lazy(() => import('@/pages/team-editor'))
const TeamChatPage = lazy(() => import('@/pages/team-chat'))
const ToolsPage = lazy(() => import('@/pages/tools'))
const NewToolPage = lazy(() => import('@/pages/new-tool'))
const ToolEditorPage = lazy(() => import('@/pages/tool-editor'))
const ChannelsPage = lazy(() => import('@/pages/channels'))
const KnowledgePage = lazy(() => import('@/pages/knowledge'))
const SettingsPage = lazy(() => import('@/pages/settings'))
const MoneyPage = lazy(() => import('@/pages/money'))
const SalesPage = lazy(() => import('@/pages/sales'))
const ProjectsPage = lazy(() => import('@/pages/projects'))
const AnalyticsPage = lazy(() => import('@/pages/analytics'))
const ImportsPage = lazy(() => import('@/pages/imports'))
const ImportPage = lazy(() => import('@/pages/import'))
const AdministrationPage = lazy(() => import('@/pages/administration'))
const PublicChatPage = lazy(() => import('@/pages/public-chat'))
const NotFoundPage = lazy(() => import('@/pages/not-found'))

export function Routes() {
  return (
    <Suspense fallback={<Splash />}>
      <Switch>
        <Route path="/">
          <Redirect to={HOME_PATH} replace />
        </Route>
        <Route path="/sign-in" component={SignInPage} />
        <Route path="/sign-in/link" component={SignInLinkPage} />
        <Route path="/sign-up" component={SignUpPage} />
        <Route path="/invitations/:token" component={InvitationPage} />
        <Route path="/w/:slug" component={PublicChatPage} />
        <Route>
          <SessionGate>
            <WorkspaceGate>
              <AgentsProvider>
                <AppLayout>
                  <Switch>
                    <Route path="/agents" component={DashboardPage} />
                    <Route path="/agents/hired" component={MyAgentsPage} />
                    <Route path="/agents/discover" component={DiscoverPage} />
                    <Route path="/agents/activity/pending" component={PendingApprovalsPage} />
                    <Route path="/agents/transitions" component={TransitionsPage} />
                    <Route path="/agents/tasks/:id" component={TaskPage} />
                    <Route path="/agents/tools" component={ToolsPage} />
                    <Route path="/agents/tools/new" component={NewToolPage} />
                    <Route path="/agents/tools/new/:way" component={ToolEditorPage} />
                    <Route path="/agents/tools/:id" component={ToolEditorPage} />
                    <Route path="/agents/teams" component={TeamsPage} />
                    <Route path="/agents/teams/new" component={TeamEditorPage} />
                    <Route path="/agents/teams/:id/edit" component={TeamEditorPage} />
                    <Route path="/agents/teams/:id" component={TeamChatPage} />
                    <Route path="/agents/new" component={NewAgentPage} />
                    <Route path="/agents/:id/settings" component={AgentSettingsPage} />
                    <Route path="/agents/:id">
                      <AgentChatPage missing={(conversation) => <MissingAgentPage conversation={conversation} />} />
                    </Route>
                    <Route path="/channels/:id?" component={ChannelsPage} />
                    <Route path="/knowledge/:id?" component={KnowledgePage} />
                    <Route path="/money/:section?" component={MoneyPage} />
                    <Route path="/sales/:section?/:id?" component={SalesPage} />
                    <Route path="/projects/:id?/:view?" component={ProjectsPage} />
                    <Route path="/analytics/:figure?" component={AnalyticsPage} />
                    <Route path="/imports" component={ImportsPage} />
                    <Route path="/imports/:id" component={ImportPage} />
                    <Route path="/settings/:section?/:id?" component={SettingsPage} />
                    <Route path="/administration/:section?" component={AdministrationPage} />
                    <Route component={NotFoundPage} />
                  </Switch>
                </AppLayout>
              </AgentsProvider>
            </WorkspaceGate>
          </SessionGate>
        </Route>
      </Switch>
    </Suspense>
  )
}
