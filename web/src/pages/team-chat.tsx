import { Page } from '@/components/layout/page'

export default function TeamChatPage() {
  return <Page title="TeamChat">To be built.</Page>
}
