import { useState } from 'react'
import { SectionList } from '@/components/forms/section-list'
import { SettingsSection } from '@/components/forms/settings-section'
import { Button } from '@/components/ui/button'
import { SearchBox } from '@/components/ui/search-box'
import { useProfiles } from '@/hooks/use-administration'
import { useDebouncedValue } from '@/hooks/use-debounced-value'
import { counted } from '@/lib/text'
import { ProfileRow } from './profile-row'

/** Everyone with an account on this server. */
export function ProfilesPanel() {
  const [text, setText] = useState('')
  const search = useDebouncedValue(text.trim())
  const list = useProfiles(search)
  return (
    <SettingsSection
      title="Profiles"
      description="Everyone with an account on this server. Premium profiles can use restricted agents; admins of the server can do what you can do here."
    >
      <SearchBox label="Search people" value={text} onChange={setText} className="mb-3 max-w-sm" />
      <p role="status" className="text-sm text-muted">
        {list.data === undefined ? '' : counted(list.total, 'profile')}
      </p>
      <SectionList
        query={list}
        what="profiles"
        isEmpty={list.profiles.length === 0}
        empty={search === '' ? 'Nobody.' : `Nobody matches “${search}”.`}
      >
        {list.profiles.map((profile) => (
          <ProfileRow key={profile.id} profile={profile} />
        ))}
      </SectionList>
      {list.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button variant="secondary" pending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </SettingsSection>
  )
}
