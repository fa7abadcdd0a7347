import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'
import { noStrings, readLate } from './no-strings.js'
import { oneWay } from './rooms.js'

const TESTS = ['src/testing/**', '**/*.test.*']

export default tseslint.config(
  { ignores: ['dist', 'src/api/schema.d.ts'] },
  ...tseslint.configs.strictTypeChecked,
  reactHooks.configs.flat.recommended,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.js', 'vite.config.ts', 'scripts/*.js', 'public/*.js'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  {
    files: ['src/**'],
    // Tests look at whatever they need to.
    ignores: TESTS,
    plugins: { rooms: { rules: { 'one-way': oneWay } } },
    rules: { 'rooms/one-way': 'error' },
  },
  {
    files: ['src/**'],
    ignores: [...TESTS, 'src/words/**'],
    plugins: { words: { rules: { 'no-strings': noStrings, 'read-late': readLate } } },
    rules: { 'words/no-strings': 'error', 'words/read-late': 'error' },
  },
  {
    files: ['**/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { 'no-console': 'off' },
  },
)
