// Every key that does something of its own in the app. Add a line where you add a key.
import { words } from '@/words/en/keyboard'

export interface Shortcut {
  /** Pressed together. */
  keys: readonly string[]
  does: string
}

export interface ShortcutGroup {
  title: string
  shortcuts: readonly Shortcut[]
}

interface Choices {
  enterSends: boolean
  helpKey: boolean
}

export function shortcutGroups({ enterSends, helpKey }: Choices): ShortcutGroup[] {
  return [
    {
      title: words.everywhere,
      shortcuts: [
        { keys: [words.tab], does: words.goToTheNextControl },
        { keys: [words.escape], does: words.closeTheDialogDrawerMenu },
        { keys: [words.upOrDown], does: words.goThroughAnOpenMenu },
        ...(helpKey ? [{ keys: ['?'], does: words.openThisListUnlessYou }] : []),
      ],
    },
    {
      title: words.writingAMessage,
      shortcuts: [
        { keys: [words.enter], does: enterSends ? words.sendOnPhonesANewLine : words.aNewLine },
        { keys: [words.shift, words.enter], does: words.aNewLine },
        { keys: [words.ctrlOr, words.enter], does: words.send },
        { keys: [words.escape], does: words.stopTheAnswerOrLeave },
      ],
    },
    {
      title: words.readingAConversation,
      shortcuts: [
        { keys: [words.upPageUpOrHome], does: words.readBackNewWordsNo },
        { keys: [words.end], does: words.goToTheNewestAnd },
      ],
    },
    {
      title: words.boards,
      shortcuts: [
        { keys: [words.arrowKeys], does: words.goFromCardToCard },
        { keys: [words.space], does: words.pickUpACard },
        { keys: [words.enter], does: words.openACard },
        { keys: [words.escape], does: words.leaveACardWhereItWas },
      ],
    },
    {
      title: words.listsAndForms,
      shortcuts: [
        { keys: [words.alt, words.upOrDown], does: words.moveAStageAMember },
        { keys: [words.leftOrRight], does: words.goFromTabToTab },
        { keys: [words.enter], does: words.saveTheNewTitleOf },
        { keys: [words.escape], does: words.keepTheOldTitleOr },
      ],
    },
  ]
}
