import { Page } from '@/components/layout/page'

export default function TransitionsPage() {
  return <Page title="Transitions">To be built.</Page>
}
