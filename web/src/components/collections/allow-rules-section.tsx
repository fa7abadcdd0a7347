import { useState } from 'react'
import { SectionList, SettingsSection } from '@/components/forms/section'
import { Button } from '@/components/ui/button'
import { SelectField } from '@/components/ui/fields'
import { type AllowRule, useAllowRules } from '@/hooks/use-allow-rules'
import { toolWords } from '@/lib/text'
import { ago, dateAndTime } from '@/lib/when'
import { words } from '@/words/en/collections'
import { words as common } from '@/words/en/common'
import { rich } from '@/words/rich'
import { say } from '@/words/say'

/** The tools that an agent may use without asking: made here on purpose, and taken back here. */
export function AllowRulesSection({ agentId }: { agentId: string }) {
  const { query, make, takeBack } = useAllowRules(agentId)
  const [chosen, setChosen] = useState('')
  const { rules = [], tools = [] } = query.data ?? {}
  const nameOf = (toolName: string) => tools.find(({ tool_name }) => tool_name === toolName)?.display_name ?? toolWords(toolName)
  const open = tools.filter(({ tool_name }) => !rules.some((rule) => rule.tool_name === tool_name))
  return (
    <SettingsSection
      id="allow-rules"
      title={words.withoutAsking}
      description={words.withoutAskingDescription}
    >
      <SectionList query={query} what="rules" isEmpty={rules.length === 0} empty={words.itAsksAsItsPermission}>
        {rules.map((rule) => (
          <li key={rule.tool_name} className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0">
            <div className="min-w-0 text-sm">
              <p className="font-medium wrap-anywhere">{nameOf(rule.tool_name)}</p>
              <RuleNote rule={rule} />
            </div>
            <Button
              variant="secondary"
              size="sm"
              aria-label={say(words.takeBackToolName, { toolName: nameOf(rule.tool_name) })}
              pending={takeBack.isPending && takeBack.variables === rule.tool_name}
              onClick={() => {
                takeBack.mutate(rule.tool_name)
              }}
            >
              {words.takeBack}
            </Button>
          </li>
        ))}
      </SectionList>
      {open.length > 0 && (
        <form
          className="mt-4 flex flex-wrap items-end gap-3"
          onSubmit={(event) => {
            event.preventDefault()
            if (chosen === '' || make.isPending) return
            make.mutate(chosen, {
              onSuccess: () => {
                setChosen('')
              },
            })
          }}
        >
          <SelectField label={common.tool} className="min-w-48" value={chosen} onChange={setChosen}>
            <option value="">{words.chooseATool}</option>
            {open.map(({ tool_name }) => (
              <option key={tool_name} value={tool_name}>
                {nameOf(tool_name)}
              </option>
            ))}
          </SelectField>
          <Button type="submit" variant="secondary" pending={make.isPending} disabled={chosen === ''}>
            {words.allowWithoutAsking}
          </Button>
        </form>
      )}
    </SettingsSection>
  )
}

function RuleNote({ rule }: { rule: AllowRule }) {
  return (
    <p className="text-muted">
      {rule.covers_outside ? words.alsoWhereItReachesOutside : words.onlyWithinTheWorkspace}{' '}
      {rich(words.madeByName, {
        name: rule.made_by ?? words.someoneWhoIsGone,
        when: (
          <time dateTime={rule.created_at} title={dateAndTime(rule.created_at)}>
            {ago(rule.created_at)}
          </time>
        ),
      })}
    </p>
  )
}
