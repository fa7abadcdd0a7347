import { Page } from '@/components/layout/page'

export default function ToolEditorPage() {
  return <Page title="ToolEditor">To be built.</Page>
}
