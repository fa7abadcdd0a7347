// Runs before the first paint so that a dark screen never flashes white. Kept in step with src/lib/theme.ts.
;(function () {
  var choice = null
  try {
    choice = localStorage.getItem('baton.theme')
  } catch {
    // Storage is blocked: follow the system.
  }
  var dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.toggle('dark', dark)
})()
