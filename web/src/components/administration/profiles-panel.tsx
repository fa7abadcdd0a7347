import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KeyRound, ShieldMinus, ShieldPlus } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { Profile } from '@/api/types'
import { RowMenu } from '@/components/forms/row-menu'
import { SectionList, SettingsSection } from '@/components/forms/section'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { SearchBox } from '@/components/ui/search-box'
import { Select } from '@/components/ui/select'
import { setRights, useProfiles } from '@/hooks/use-administration'
import { useDebouncedValue } from '@/hooks/use-browser'
import { useSession } from '@/hooks/use-session'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/administration'
import { words as common } from '@/words/en/common'
import { say } from '@/words/say'
import { SignInLinkDialog } from './sign-in-link-dialog'

/** Everyone with an account on this server. */
export function ProfilesPanel() {
  const [text, setText] = useState('')
  const search = useDebouncedValue(text.trim())
  const list = useProfiles(search)
  return (
    <SettingsSection
      title={words.profiles}
      description={words.profilesDescription}
    >
      <SearchBox label={words.searchPeople} value={text} onChange={setText} className="mb-3 max-w-sm" />
      <p role="status" className="text-sm text-muted">
        {list.data === undefined ? '' : say(words.countProfiles, { count: list.total })}
      </p>
      <SectionList
        query={list}
        what="profiles"
        isEmpty={list.profiles.length === 0}
        empty={search === '' ? words.nobody : say(words.nobodyMatchesSearch, { search })}
      >
        {list.profiles.map((profile) => (
          <ProfileRow key={profile.id} profile={profile} />
        ))}
      </SectionList>
      {list.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button variant="secondary" pending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {common.showMore}
          </Button>
        </div>
      )}
    </SettingsSection>
  )
}

function ProfileRow({ profile }: { profile: Profile }) {
  const { profile: self } = useSession()
  const queryClient = useQueryClient()
  const [linkOpener, setLinkOpener] = useState<HTMLElement | null>()
  const stand = useMutation({
    mutationFn: (rights: Parameters<typeof setRights>[1]) => setRights(profile.id, rights),
    onSuccess: async ({ name, tier, is_admin }, changed) => {
      notify(
        changed.tier === undefined
          ? say(is_admin ? words.nameIsNowAnAdmin : words.nameIsNoLongerAnAdmin, { name })
          : say(words.nameHasTierNow[tier], { name }),
      )
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: keys.profiles }),
        profile.id === self.id && queryClient.invalidateQueries({ queryKey: keys.session }),
      ])
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 text-sm last:pb-0">
      <Avatar name={profile.name} />
      <div className="min-w-0 grow basis-40">
        <p className="flex items-center gap-2">
          <span dir="auto" className="truncate font-medium">{profile.name}</span>
          {profile.is_admin && <Badge tone="brand">{words.admin}</Badge>}
          {profile.id === self.id && <Badge>{common.you}</Badge>}
        </p>
        <p className="truncate text-muted">{profile.email}</p>
      </div>
      <div className="ml-11 flex items-center gap-1 sm:ml-0">
        <Select
          aria-label={say(words.tierOfName, { name: profile.name })}
          className="w-32"
          value={(stand.isPending ? stand.variables.tier : undefined) ?? profile.tier}
          disabled={stand.isPending}
          onChange={(event) => {
            stand.mutate({ tier: event.target.value as Profile['tier'] })
          }}
        >
          <option value="free">{words.free}</option>
          <option value="premium">{words.premium}</option>
        </Select>
        <RowMenu
          name={profile.name}
          actions={[
            { label: words.signInLink, icon: KeyRound, onSelect: setLinkOpener },
            {
              label: profile.is_admin ? words.takeAdminAway : words.makeAdmin,
              icon: profile.is_admin ? ShieldMinus : ShieldPlus,
              onSelect: () => {
                stand.mutate({ is_admin: !profile.is_admin })
              },
            },
          ]}
        />
      </div>
      {linkOpener !== undefined && (
        <SignInLinkDialog
          profile={profile}
          opener={linkOpener}
          onClose={() => {
            setLinkOpener(undefined)
          }}
        />
      )}
    </li>
  )
}
