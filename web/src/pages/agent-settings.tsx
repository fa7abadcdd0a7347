import { Page } from '@/components/layout/page'

export default function AgentSettingsPage() {
  return <Page title="AgentSettings">To be built.</Page>
}
