import { Page } from '@/components/layout/page'

export default function AdministrationPage() {
  return <Page title="Administration">To be built.</Page>
}
