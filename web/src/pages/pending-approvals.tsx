import { Page } from '@/components/layout/page'

export default function PendingApprovalsPage() {
  return <Page title="PendingApprovals">To be built.</Page>
}
