import { Component, type ReactNode } from 'react'
import { Button } from './ui/button'
import { EmptyState } from './empty-state'

interface Props {
  /** A new value, such as the path, gives the children another try. */
  resetKey?: string
  /** Nothing stands around it: what went wrong is the whole page. */
  isOutermost?: boolean
  children: ReactNode
}

/** Catches what a page could not handle, most often a page file of an older release that is no longer there. */
export class ErrorBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidUpdate(previous: Props) {
    if (this.state.failed && previous.resetKey !== this.props.resetKey) this.setState({ failed: false })
  }

  override render() {
    if (!this.state.failed) return this.props.children
    const Frame = this.props.isOutermost ? 'main' : 'div'
    return (
      <Frame>
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
      </Frame>
    )
  }
}
