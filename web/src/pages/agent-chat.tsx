import { Page } from '@/components/layout/page'

export default function AgentChatPage() {
  return <Page title="AgentChat">To be built.</Page>
}
