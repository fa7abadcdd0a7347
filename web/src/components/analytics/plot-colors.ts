// The colours of series, by their place: told apart in both themes, and never by colour alone (the legend and the tip name them).

const FILLS = ['fill-plot-1', 'fill-plot-2', 'fill-plot-3', 'fill-plot-4', 'fill-plot-5', 'fill-plot-6'] as const
const STROKES = ['stroke-plot-1', 'stroke-plot-2', 'stroke-plot-3', 'stroke-plot-4', 'stroke-plot-5', 'stroke-plot-6'] as const
const GROUNDS = ['bg-plot-1', 'bg-plot-2', 'bg-plot-3', 'bg-plot-4', 'bg-plot-5', 'bg-plot-6'] as const

/** The most series that are drawn one by one. */
export const MOST_LINES = FILLS.length

const of = (colors: readonly string[], place: number) => colors[place % colors.length] ?? ''

export const fillOf = (place: number) => of(FILLS, place)
export const strokeOf = (place: number) => of(STROKES, place)
export const groundOf = (place: number) => of(GROUNDS, place)
