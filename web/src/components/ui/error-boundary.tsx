import { Component, type ReactNode, useEffect } from 'react'
import { errorFromFailure } from '@/api/errors'
import { fetchAuthOptions } from '@/hooks/use-session'
import { words } from '@/words/en/common'
import { ErrorState } from './error-state'

interface Props {
  /** A new value, such as the path, gives the children another try. */
  resetKey?: string
  /** Nothing stands around it: what went wrong is the whole page. */
  isOutermost?: boolean
  children: ReactNode
}

interface State {
  /** What failed: loading the page's files, or showing the page. */
  failed: false | 'loading' | 'showing'
}

/** Catches what a page could not handle, most often a page file that could not be loaded. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false }

  static getDerivedStateFromError(error: unknown): State {
    return { failed: isLoadFailure(error) ? 'loading' : 'showing' }
  }

  override componentDidUpdate(previous: Props) {
    if (this.state.failed && previous.resetKey !== this.props.resetKey) this.setState({ failed: false })
  }

  override render() {
    const { failed } = this.state
    if (!failed) return this.props.children
    const Frame = this.props.isOutermost ? 'main' : 'div'
    return <Frame>{failed === 'loading' ? <Unreachable /> : <Broken />}</Frame>
  }
}

function Broken() {
  return (
  <ErrorState
    heading="h1"
    title={words.thisPageCouldNotBe}
    error={null}
    retrying={false}
    onRetry={() => {
      window.location.reload()
    }}
  />
  )
}

/** Whether a file of the app could not be loaded, in the words of each browser and of Vite. */
function isLoadFailure(error: unknown): boolean {
  return /imported module|module script|preload CSS/.test(String(error))
}

const EVERY_MS = 3_000
/** Not sooner, by itself: a file that is still missing after a reload may be missing for good. */
const SETTLE_MS = 15_000
const AWAY = errorFromFailure('a page')

/** A page's file could not be loaded, most often because the server is away. Reloads as soon as it answers. */
function Unreachable() {
  useEffect(() => {
    const timer = setInterval(() => {
      if (performance.now() > SETTLE_MS) reloadIfBack()
    }, EVERY_MS)
    return () => {
      clearInterval(timer)
    }
  }, [])
  return <ErrorState title={words.batonCannotBeReached} heading="h1" error={AWAY} retrying={false} onRetry={reloadIfBack} />
}

function reloadIfBack(): void {
  fetchAuthOptions().then(
    () => {
      window.location.reload()
    },
    () => undefined,
  )
}
