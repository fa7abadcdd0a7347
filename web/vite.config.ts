import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const ICONS = 'lucide-react/dist/esm/icons/'
/** Parts that no chat begins with: fields, and what asks in a dialog. */
const BEYOND_CHATS = 'card|confirm-dialog|dialog|fields|input|password-input|select|switch|text-link'

/** Modules of src/, or of packages, whose path goes on like one of these. */
const anyOf = (...paths: string[]) => new RegExp(`/(src/|node_modules/)(${paths.join('|')})`)

export default defineConfig({
  plugins: [react(), tailwindcss()],
  resolve: {
    alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) },
  },
  build: {
    // The server's Content-Security-Policy allows images from data: URLs but not scripts or styles, so nothing is inlined.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Says which scripts a page needs; scripts/check-size.js reads it.
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What almost every page shows or reads is one script, not a request for each button and word list.
            {
              name: 'common',
              test: anyOf(
                `components/ui/(?!${BEYOND_CHATS})`,
                'components/agents/',
                'lib/',
                'words/(en/(api|common|hooks)|catalog|say|rich)',
                'api/',
                'hooks/use-(session|workspace)\\.',
                'chat/(drafts|message-queue)',
                '@tanstack/',
                ICONS,
              ),
              minShareCount: 14,
            },
            // What other pages share, and no chat begins with. They would be twenty scripts, most of them smaller than their request.
            {
              name: 'pages',
              test: anyOf(
                `components/ui/(${BEYOND_CHATS}|search-box|section)\\.`,
                'components/forms/',
                'words/en/forms',
                'hooks/use-(agent-detail|permissions|records|server|skills|teams|tools|workspace-settings)\\.',
                '@tanstack/.*/(useInfiniteQuery|infiniteQueryObserver)',
                `${ICONS}(arrow-right|download|eye|eye-off|search|trash|triangle-exclamation-point|user-minus)\\.`,
              ),
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            // What the pages of the workspace's data share.
            {
              name: 'data',
              test: anyOf('components/(data|money|imports)/', 'hooks/use-(areas|data|imports|members|money|reports)\\.', 'api/(data|money)\\.', 'lib/(money|row-pages)\\.', 'words/en/(data|money|imports)\\.'),
              minShareCount: 2,
              includeDependenciesRecursively: false,
            },
            // Signing in and up, and invitations.
            {
              name: 'entrance',
              test: anyOf('components/auth/(?!gates)', 'components/layout/auth-layout', 'hooks/use-sign-in', 'words/en/auth'),
              includeDependenciesRecursively: false,
            },
            // Small things that chats share with a few pages are one script too.
            {
              name: 'parts',
              test: /\/src\/(api\/(upload|words)|hooks\/use-conversation-address|lib\/amounts|components\/(ui\/(copy|named-values|textarea|icon-button)|chat\/handoff-marker))\.|icons\/(arrow-down|arrow-up|brain|chevron-right|circle-stop|circle-x|clock|external-link|globe|info|pencil)\./,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': process.env.BATON_URL ?? 'http://127.0.0.1:8787' },
  },
  test: {
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { url: 'http://localhost:8787/' } },
    setupFiles: ['src/testing/setup.ts'],
    // Without this, one core is left idle, which of two is half.
    maxWorkers: '100%',
    // Longer than the wait for one element (src/testing/setup.ts), as pages load on demand.
    testTimeout: 60_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
})
