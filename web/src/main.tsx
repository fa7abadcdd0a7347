import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from '@/api/query-client'
import { followTheme } from '@/lib/theme'
import { App } from './app'
import './styles.css'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')

followTheme()
createRoot(root).render(
  <StrictMode>
    <App queryClient={createQueryClient()} />
  </StrictMode>,
)
