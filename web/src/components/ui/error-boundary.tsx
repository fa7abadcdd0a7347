import { Component, type ReactNode } from 'react'
import { ErrorState } from './error-state'
import { Unreachable } from './unreachable'

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
    return <Frame>{failed === 'loading' ? <Unreachable /> : BROKEN}</Frame>
  }
}

const BROKEN = (
  <ErrorState
    heading="h1"
    title="This page could not be shown"
    error={null}
    retrying={false}
    onRetry={() => {
      window.location.reload()
    }}
  />
)

/** Whether a file of the app could not be loaded, in the words of each browser and of Vite. */
function isLoadFailure(error: unknown): boolean {
  return /imported module|module script|preload CSS/.test(String(error))
}
