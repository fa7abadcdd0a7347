/** The column in which pages stand: as wide as four agent cards, in the middle of what the sidebar leaves. */
export const PAGE_COLUMN = 'mx-auto w-full max-w-[63.75rem] px-4 sm:px-8'
