import { Page } from '@/components/layout/page'

export default function SettingsPage() {
  return <Page title="Settings">To be built.</Page>
}
