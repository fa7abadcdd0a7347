import { Page } from '@/components/layout/page'

export default function TeamEditorPage() {
  return <Page title="TeamEditor">To be built.</Page>
}
