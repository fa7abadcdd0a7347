// Debian's Chromium, and pages that tell of whatever went wrong in them.
import { chromium } from 'playwright-core'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
/** How long a person would wait for anything. Long, as the machine may be busy; what is there is seen at once. */
export const PATIENCE = 15_000
export const DESKTOP = { width: 1280, height: 800 }
export const PHONE = { width: 390, height: 844 }

export async function launch() {
  return await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
}

/**
 * A window of a browser that nobody used before. `problems` fills with what no test wants to see: errors of scripts, of
 * the console, of the content security policy, and requests that failed. What a test brings about itself it names in
 * `expected`, as patterns.
 */
export async function openWindow(browser, { origin, cookies = [], colorScheme = 'light', viewport = DESKTOP, isPhone = false, expected = [] }) {
  const context = await browser.newContext({
    baseURL: origin,
    colorScheme,
    viewport,
    isMobile: isPhone,
    hasTouch: isPhone,
    reducedMotion: 'reduce',
    locale: 'en-GB',
  })
  context.setDefaultTimeout(PATIENCE)
  if (cookies.length > 0) await context.addCookies(cookies)
  const problems = []
  const requests = []
  const tell = (words) => {
    if (!expected.some((pattern) => pattern.test(words))) problems.push(words)
  }
  context.on('weberror', (error) => tell(`script: ${error.error().stack ?? error.error()}`))
  context.on('console', (message) => {
    // What it says of failed requests is told better below.
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return
    tell(`console: ${message.text()}`)
  })
  context.on('request', (request) => requests.push(request))
  context.on('requestfailed', (request) => {
    const why = request.failure()?.errorText
    // The app ends its streams, and what a page asked for ends with the page.
    if (why !== 'net::ERR_ABORTED') tell(`request: ${request.method()} ${request.url()} ${why}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 400) tell(`response: ${response.request().method()} ${response.url()} ${response.status()}`)
  })
  context.on('dialog', (dialog) => {
    tell(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return { context, problems, requests, expected }
}
