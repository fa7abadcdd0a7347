import { Page } from '@/components/layout/page'

export default function ToolsPage() {
  return <Page title="Tools">To be built.</Page>
}
