/**
 * The shade behind a modal. Not Radix's own overlay: that one locks scrolling with an inline <style>, which the
 * Content-Security-Policy forbids. `data-scroll-lock` does it from styles.css. A modal's content closes on outside
 * clicks by itself, so the shade needs no handler.
 */
export function Overlay() {
  return <div data-scroll-lock className="fixed inset-0 z-40 animate-fade-in bg-overlay" />
}
