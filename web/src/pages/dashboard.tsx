import { Page } from '@/components/layout/page'

export default function DashboardPage() {
  return <Page title="Dashboard">To be built.</Page>
}
