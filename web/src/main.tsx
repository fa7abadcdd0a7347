import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from '@/api/query-client'
import { readStored } from '@/lib/storage'
import { followTheme } from '@/lib/theme'
import { startLanguage } from '@/words/languages'
import { App } from './app'
import './styles.css'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

followTheme()
const draw = () => {
  createRoot(root).render(
    <StrictMode>
      <App queryClient={createQueryClient()} />
    </StrictMode>,
  )
}
startLanguage(readStored('baton.language')).then(draw, draw)
