// What every browser test begins with: a server with demo data, a browser, and the demo's owner signed in.
//
//   const app = useApp()
//   test('…', async (t) => {
//     const page = await app.newPage(t)
//   })
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { Api } from './harness/api.js'
import { launch, openWindow } from './harness/browser.js'
import { HeldModel } from './harness/held-model.js'
import { Server } from './harness/server.js'

export { Api } from './harness/api.js'
export { DESKTOP, PATIENCE, PHONE } from './harness/browser.js'
export { Chat } from './harness/chat.js'

/**
 * `model: 'held'`: the tests say themselves what the model says, as `app.model`. Otherwise it is the demo model.
 * `prepare`: what is done once, before the first test. `args`: what `baton serve --demo` is given besides.
 */
export function useApp({ model = 'demo', prepare, args = [] } = {}) {
  const app = new App()
  before(async () => {
    await app.start(model, args)
    await prepare?.(app)
  })
  after(() => app.stop())
  return app
}

class App {
  async start(model, args) {
    if (model === 'held') this.model = await HeldModel.start()
    ;[this.server, this.browser] = await Promise.all([Server.start([...(this.model?.settings ?? []), ...args]), launch()])
    this.owner = this.api()
    await this.owner.redeem(this.server.linkToken)
  }

  async stop() {
    await this.browser?.close()
    await this.model?.stop()
    await this.server?.stop()
  }

  get origin() {
    return this.server.origin
  }

  /** Somebody who isn't signed in yet. */
  api() {
    return new Api(this.origin)
  }

  /**
   * A page in a browser of its own, as the demo's owner unless `as` says otherwise (null: as a stranger). When the test
   * ends, nothing may have gone wrong in it.
   */
  async newPage(t, { as = this.owner, ...options } = {}) {
    const window = await openWindow(this.browser, { origin: this.origin, cookies: as?.cookies ?? [], ...options })
    const page = await window.context.newPage()
    t.after(async () => {
      await window.context.close()
      // A test that failed for another reason says nothing of these otherwise.
      for (const problem of window.problems) t.diagnostic(problem)
      assert.deepEqual(window.problems, [], 'what went wrong in the browser')
    })
    return Object.assign(page, { problems: window.problems, expected: window.expected, seenRequests: window.requests })
  }
}
