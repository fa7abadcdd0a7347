import { useScrollLock } from '@/hooks/use-scroll-lock'

/**
 * The shade behind a modal. Not Radix's own overlay: that one locks scrolling with an inline <style>, which the
 * Content-Security-Policy forbids. A modal closes on outside clicks by itself, so the shade needs no handler.
 */
export function Overlay() {
  useScrollLock()
  return <div className="fixed inset-0 z-40 animate-fade-in bg-overlay" />
}
