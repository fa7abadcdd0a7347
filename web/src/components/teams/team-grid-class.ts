/** How cards of teams stand. */
export const TEAM_GRID = 'grid gap-4 sm:grid-cols-[repeat(auto-fill,minmax(18.5rem,1fr))]'
