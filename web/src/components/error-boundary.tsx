import { Component, type ReactNode } from 'react'
import { Button } from './ui/button'
import { EmptyState } from './empty-state'
import { isLoadFailure, Unreachable } from './unreachable'

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
    return <Frame>{failed === 'loading' ? <Unreachable>{BROKEN}</Unreachable> : BROKEN}</Frame>
  }
}

const BROKEN = (
  <EmptyState
    heading="h1"
    title="This page could not be shown"
    action={
      <Button
        onClick={() => {
          window.location.reload()
        }}
      >
        Reload
      </Button>
    }
  >
    Reloading usually helps. If it does not, the server’s log says more.
  </EmptyState>
)
