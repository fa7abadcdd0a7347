import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

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
            // What almost every page shows is one script, not a request for each button and word list. Fields are for forms only.
            {
              name: 'common',
              test: /\/(src\/(components\/(ui\/(?!fields|select|switch|password-input)|agents\/)|lib\/)|lucide-react\/dist\/esm\/icons\/)/,
              minShareCount: 9,
            },
            // Small things that chats share with a few pages are one script too.
            {
              name: 'parts',
              test: /\/src\/(api\/words|hooks\/use-conversation-address|lib\/amounts|components\/(ui\/(copy|named-values|textarea|icon-button)|chat\/handoff-marker))\.|icons\/(arrow-down|arrow-up|brain|chevron-right|circle-stop|circle-x|external-link|globe|info|pencil)\./,
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
    // Longer than the wait for one element (src/testing/setup.ts), as pages load on demand.
    testTimeout: 60_000,
    restoreMocks: true,
    unstubGlobals: true,
  },
})
