import { SettingsSection } from '@/components/forms/section'
import { useSession } from '@/hooks/use-session'
import { words } from '@/words/en/settings'

/** Which Baton this is. */
export function AboutSection() {
  const { version, commit, commit_date } = useSession().server
  const facts = [
    [words.version, version],
    [words.commit, [commit, commit_date].filter((word) => word !== null).join(' · ')],
    [words.licence, words.mitOrApache],
  ].filter(([, value]) => value !== '')
  return (
    <SettingsSection title={words.aboutBaton}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-2 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
        <dt className="text-muted">{words.api}</dt>
        <dd>
          <a
            href="/api/docs"
            className="rounded-sm font-medium underline decoration-control underline-offset-4 hover:decoration-foreground"
          >
            {words.documentation}
          </a>
        </dd>
      </dl>
    </SettingsSection>
  )
}
