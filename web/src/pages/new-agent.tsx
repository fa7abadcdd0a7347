import { Page } from '@/components/layout/page'

export default function NewAgentPage() {
  return <Page title="NewAgent">To be built.</Page>
}
