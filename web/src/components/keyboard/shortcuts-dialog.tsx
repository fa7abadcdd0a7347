import { Keyboard } from 'lucide-react'
import { Fragment } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { SwitchField } from '@/components/ui/fields'
import { useSwitch } from '@/hooks/use-browser'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/keyboard'
import { type ShortcutGroup, shortcutGroups } from './shortcuts'

interface ShortcutsDialogProps {
  /** Gets the focus back. */
  opener: HTMLElement | null
  onClose: () => void
}

/** The keys of the app, and the switch of the only one that is a bare character. */
export function ShortcutsDialog({ opener, onClose }: ShortcutsDialogProps) {
  const [enterSends] = useSwitch('baton.enter-sends')
  const [helpKey] = useSwitch('baton.help-key')
  return (
    <Dialog
      opener={opener}
      onClose={onClose}
      icon={<Keyboard aria-hidden className="size-5 shrink-0 text-muted" />}
      title={words.keyboardShortcuts}
      description={words.keyboardShortcutsDescription}
      actions={<Button onClick={onClose}>{common.close}</Button>}
    >
      {shortcutGroups({ enterSends, helpKey }).map((group) => (
        <Group key={group.title} group={group} />
      ))}
      <div className="border-t border-border pt-3">
        <HelpKeySwitch />
      </div>
    </Dialog>
  )
}

function Group({ group: { title, shortcuts } }: { group: ShortcutGroup }) {
  return (
    <section>
      <h3 className="mb-1.5 text-sm font-medium">{title}</h3>
      <dl className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-4 gap-y-1.5 text-sm">
        {shortcuts.map(({ keys, does }) => (
          <Fragment key={keys.join('+')}>
            <dt>
              <Keys keys={keys} />
            </dt>
            <dd className="text-muted">{does}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
}

function Keys({ keys }: { keys: readonly string[] }) {
  return keys.map((key, index) => (
    <Fragment key={key}>
      {index > 0 && ' + '}
      <kbd className="rounded border border-border bg-subtle px-1.5 py-0.5 font-sans text-xs">{key}</kbd>
    </Fragment>
  ))
}

/** Who speaks to the computer, or has keys pressed by chance, can turn off what a single character does. */
export function HelpKeySwitch() {
  const [on, set] = useSwitch('baton.help-key')
  return (
    <SwitchField
      label={words.opensTheKeyboardShortcuts}
      hint={words.opensTheKeyboardShortcutsHint}
      checked={on}
      onChange={set}
    />
  )
}
