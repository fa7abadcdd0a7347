import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { ErrorBoundary } from '@/components/error-boundary'
import { Notices } from '@/components/notices'
import { Routes } from './routes'

export function App({ queryClient }: { queryClient: QueryClient }) {
  return (
    <QueryClientProvider client={queryClient}>
      <ErrorBoundary isOutermost>
        <Routes />
      </ErrorBoundary>
      <Notices />
    </QueryClientProvider>
  )
}
