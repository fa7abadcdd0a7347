import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KeyRound, ShieldMinus, ShieldPlus } from 'lucide-react'
import { useState } from 'react'
import { setStanding } from '@/api/admin'
import { messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { Profile } from '@/api/types'
import { RowMenu } from '@/components/forms/row-menu'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { Select } from '@/components/ui/select'
import { useSession } from '@/hooks/use-session'
import { notify } from '@/lib/toasts'
import { SignInLinkDialog } from './sign-in-link-dialog'

export function ProfileRow({ profile }: { profile: Profile }) {
  const { profile: self } = useSession()
  const queryClient = useQueryClient()
  const [linkOpener, setLinkOpener] = useState<HTMLElement | null>()
  const stand = useMutation({
    mutationFn: (standing: Parameters<typeof setStanding>[1]) => setStanding(profile.id, standing),
    onSuccess: async ({ name, tier, is_admin }, changed) => {
      notify(
        changed.tier === undefined
          ? `${name} is ${is_admin ? 'now' : 'no longer'} an admin of the server.`
          : `${name} has a ${tier} profile now.`,
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
          <span className="truncate font-medium">{profile.name}</span>
          {profile.is_admin && <Badge tone="brand">Admin</Badge>}
          {profile.id === self.id && <Badge>You</Badge>}
        </p>
        <p className="truncate text-muted">{profile.email}</p>
      </div>
      <div className="ml-11 flex items-center gap-1 sm:ml-0">
        <Select
          aria-label={`Tier of ${profile.name}`}
          className="w-32"
          value={(stand.isPending ? stand.variables.tier : undefined) ?? profile.tier}
          disabled={stand.isPending}
          onChange={(event) => {
            stand.mutate({ tier: event.target.value as Profile['tier'] })
          }}
        >
          <option value="free">Free</option>
          <option value="premium">Premium</option>
        </Select>
        <RowMenu
          name={profile.name}
          actions={[
            { label: 'Sign-in link…', icon: KeyRound, onSelect: setLinkOpener },
            {
              label: profile.is_admin ? 'Take admin away' : 'Make admin',
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
