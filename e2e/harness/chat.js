// A chat as a person sees it: where one writes, who said what, what is asked.

export class Chat {
  constructor(page) {
    this.page = page
    this.box = page.getByRole('textbox', { name: /^Message / })
    this.log = page.getByRole('region', { name: 'Conversation' })
    this.own = this.log.getByRole('article', { name: 'You said' })
    this.answers = this.log.getByRole('article').and(page.locator(':not([aria-label="You said"])'))
    this.stop = page.getByRole('button', { name: 'Stop', exact: true })
    this.header = page.getByRole('banner').last()
    this.holder = page.getByRole('button', { name: /, choose who answers$/ })
  }

  async send(text) {
    await this.box.fill(text)
    await this.box.press('Enter')
  }

  /** Until the answer is finished: what can be done with it appears under it. */
  async settled(count = 1) {
    await this.answers.nth(count - 1).getByRole('button', { name: 'Copy message' }).waitFor()
    await this.stop.waitFor({ state: 'hidden' })
  }

  by(name) {
    return this.log.getByRole('article', { name: `${name} said` })
  }

  approval(tool) {
    return this.page.getByRole('region', { name: `Allow ${tool}?` })
  }

  async choose(name) {
    await this.holder.click()
    await this.page.getByRole('menuitem', { name }).click()
  }

  get conversationId() {
    return new URL(this.page.url()).searchParams.get('conversation')
  }
}
