import { Page } from '@/components/layout/page'

export default function TeamsPage() {
  return <Page title="Teams">To be built.</Page>
}
