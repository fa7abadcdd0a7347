import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ErrorBoundary } from '@/components/ui/error-boundary'
import { Toasts } from '@/components/ui/toasts'
import { Routes } from './routes'

export function App({ queryClient }: { queryClient: QueryClient }) {
  return (
    <QueryClientProvider client={queryClient}>
      <ErrorBoundary isOutermost>
        <Routes />
      </ErrorBoundary>
      <Toasts />
    </QueryClientProvider>
  )
}
