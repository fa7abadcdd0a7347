import { Page } from '@/components/layout/page'

export default function PublicChatPage() {
  return <Page title="PublicChat">To be built.</Page>
}
