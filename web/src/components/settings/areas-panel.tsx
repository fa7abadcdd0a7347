// What each role may see and change of the workspace's data. Only areas that hold something are listed.
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '@/api/errors'
import { SectionQuery, SettingsSection } from '@/components/forms/section'
import { Select } from '@/components/ui/select'
import { Cell, HeadCell, Table } from '@/components/ui/table'
import { type AreaAccess, type AreaRule, useAreas, useChangeAreas } from '@/hooks/use-areas'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/settings'
import { say } from '@/words/say'
import { ROLES } from './roles'

type ShownArea = keyof typeof words.areas

const AREAS: readonly ShownArea[] = ['money', 'knowledge']
const SET_ROLES = ['admin', 'member'] as const
const ACCESSES: readonly AreaAccess[] = ['none', 'read', 'write']

export function AreasPanel() {
  const query = useAreas()
  const { role } = useWorkspace()
  const isOwner = role === 'owner'
  return (
    <SettingsSection
      title={words.whoMay}
      description={isOwner ? words.whoMayDescription : `${words.whoMayDescription} ${words.onlyOwnersChangeThis}`}
    >
      <SectionQuery query={query} what="areas">
        {({ rules }) => (
          <Table
            caption={words.whatEachRoleMay}
            // A phone has no room for a column per role: there each area has a line per role.
            className="max-sm:[&_thead]:hidden"
            head={
              <>
                <HeadCell>{words.area}</HeadCell>
                {SET_ROLES.map((name) => (
                  <HeadCell key={name}>{ROLES[name]}</HeadCell>
                ))}
              </>
            }
          >
            {AREAS.map((area) => (
              <tr key={area} className="max-sm:block max-sm:py-2">
                <th scope="row" className="px-4 py-3 text-left align-middle font-normal max-sm:block">
                  <span className="block font-medium">{words.areas[area]}</span>
                  <span className="block text-muted">{words.areaDescriptions[area]}</span>
                </th>
                {SET_ROLES.map((name) => {
                  const rule = rules.find((one) => one.area === area && one.role === name)
                  return (
                    <Cell key={name} className="align-middle max-sm:flex max-sm:items-center max-sm:justify-between max-sm:py-2">
                      <span className="text-muted sm:hidden" aria-hidden>
                        {ROLES[name]}
                      </span>
                      {rule === undefined ? null : isOwner ? <AccessSelect rule={rule} area={area} /> : words.accesses[rule.access]}
                    </Cell>
                  )
                })}
              </tr>
            ))}
          </Table>
        )}
      </SectionQuery>
    </SettingsSection>
  )
}

function AccessSelect({ rule, area }: { rule: AreaRule; area: ShownArea }) {
  const save = useChangeAreas()
  const change = useMutation({
    mutationFn: (access: AreaAccess) => save([{ ...rule, access }]),
    // One after the other: each answer tells of all rules, and the last one counts.
    scope: { id: 'areas' },
    onSuccess: () => {
      notify(words.areasSaved)
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  return (
    <Select
      aria-label={say(words.accessOfRoleInArea, { area: words.areas[area], role: ROLES[rule.role] })}
      className="w-44"
      value={change.isPending ? change.variables : rule.access}
      disabled={change.isPending}
      onChange={(event) => {
        change.mutate(event.target.value as AreaAccess)
      }}
    >
      {ACCESSES.map((access) => (
        <option key={access} value={access}>
          {words.accesses[access]}
        </option>
      ))}
    </Select>
  )
}
