/** One column on phones, then as many cards of a fixed width as there is room for. */
export const AGENT_GRID = 'grid grid-cols-1 gap-5 sm:grid-cols-[repeat(auto-fill,14rem)]'
