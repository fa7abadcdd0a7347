import { useScrollLock } from '@/hooks/use-scroll-lock'

/**
 * The shade behind a modal. Not Radix's own overlay: that one locks scrolling with an inline <style>, which the
 * Content-Security-Policy forbids. A modal closes on outside clicks by itself, so the shade needs no handler.
 * As high as modals: what opened last lies above, so a question over a drawer shades the drawer too. Only the last
 * shade is seen, or the page would be shaded twice.
 */
export function Overlay() {
  useScrollLock()
  return <div data-shade className="fixed inset-0 z-50 animate-fade-in bg-overlay has-[~[data-shade]]:bg-transparent" />
}
