import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { keys } from '@/api/query-client'
import { type CreatedToken, fetchTokens } from '@/api/tokens'
import { Secret } from '@/components/forms/secret'
import { SectionList } from '@/components/forms/section-list'
import { SettingsSection } from '@/components/forms/settings-section'
import { NewTokenForm } from './new-token-form'
import { TokenRow } from './token-row'

/** What programs sign in with. */
export function TokensPanel() {
  const tokens = useQuery({ queryKey: keys.tokens, queryFn: ({ signal }) => fetchTokens(signal) })
  const [created, setCreated] = useState<CreatedToken | null>(null)
  return (
    <>
      <SettingsSection
        title="New token"
        description="A token stands for you in one workspace, in programs that use Baton’s API. It can do what you can there, but not approve what it asked for itself."
      >
        <div className="grid gap-5">
          <NewTokenForm onCreated={setCreated} />
          {created !== null && (
            <div className="rounded-lg border border-border bg-background p-4">
              <Secret
                key={created.id}
                label={`Token “${created.name}”`}
                value={created.token}
                note="Copy it now: it is not shown again."
                autoFocus
              />
            </div>
          )}
        </div>
      </SettingsSection>
      <SettingsSection title="Your tokens">
        <SectionList query={tokens} what="tokens" isEmpty={tokens.data?.length === 0} empty="You have no tokens.">
          {tokens.data?.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              onDeleted={() => {
                if (created?.id === token.id) setCreated(null)
              }}
            />
          ))}
        </SectionList>
      </SettingsSection>
    </>
  )
}
