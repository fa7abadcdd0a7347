// Every address of the app. Pages are loaded when they are first opened.
import { lazy, Suspense } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import { SessionGate } from '@/components/auth/session-gate'
import { WorkspaceGate } from '@/components/auth/workspace-gate'
import { AppLayout } from '@/components/layout/app-layout'
import { Splash } from '@/components/layout/splash'
import { HOME_PATH } from '@/lib/paths'

const SignInPage = lazy(() => import('@/pages/sign-in'))
const SignInLinkPage = lazy(() => import('@/pages/sign-in-link'))
const SignUpPage = lazy(() => import('@/pages/sign-up'))
const InvitationPage = lazy(() => import('@/pages/invitation'))
const MyAgentsPage = lazy(() => import('@/pages/my-agents'))
const DiscoverPage = lazy(() => import('@/pages/discover'))
const NotFoundPage = lazy(() => import('@/pages/not-found'))

export function Routes() {
  return (
    <Suspense fallback={<Splash />}>
      <Switch>
        <Route path="/">
          <Redirect to={HOME_PATH} replace />
        </Route>
        <Route path="/agents">
          <Redirect to={HOME_PATH} replace />
        </Route>
        <Route path="/sign-in" component={SignInPage} />
        <Route path="/sign-in/link" component={SignInLinkPage} />
        <Route path="/sign-up" component={SignUpPage} />
        <Route path="/invitations/:token" component={InvitationPage} />
        <Route>
          <SessionGate>
            <WorkspaceGate>
              <AppLayout>
                <Switch>
                  <Route path="/agents/hired" component={MyAgentsPage} />
                  <Route path="/agents/discover" component={DiscoverPage} />
                  <Route component={NotFoundPage} />
                </Switch>
              </AppLayout>
            </WorkspaceGate>
          </SessionGate>
        </Route>
      </Switch>
    </Suspense>
  )
}
