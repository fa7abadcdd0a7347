import { Page } from '@/components/layout/page'

export default function TaskPage() {
  return <Page title="Task">To be built.</Page>
}
