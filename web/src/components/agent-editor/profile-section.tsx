import { SettingsSection } from '@/components/forms/section'
import { SelectField, SwitchField, TextareaField, TextField } from '@/components/ui/fields'
import { useDepartments } from '@/hooks/use-server'
import { words } from '@/words/en/agent-editor'
import { words as common } from '@/words/en/common'
import { type AgentFormProps, CATEGORIES } from './agent-draft'
import { AvatarField } from './avatar-field'

/** How people know the agent. */
export function ProfileSection({ form, readOnly, slug }: AgentFormProps & { slug: string }) {
  const { data: departments = [] } = useDepartments()
  return (
    <SettingsSection id="profile" title={words.profile} description={words.profileDescription}>
      <div className="grid gap-5">
        <AvatarField
          {...form.field('avatar_url')}
          slug={slug}
          readOnly={readOnly}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label={common.name}
            {...form.field('name')}
            maxLength={100}
            readOnly={readOnly}
          />
          <TextField
            label={words.role}
            {...form.field('role')}
            maxLength={60}
            readOnly={readOnly}
            placeholder={words.rolePlaceholder}
            hint={words.roleHint}
          />
        </div>
        <TextareaField
          label={common.description}
          {...form.field('description')}
          rows={2}
          maxLength={2_000}
          readOnly={readOnly}
          hint={words.peopleSeeItBeforeThey}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <SelectField
            label={words.category}
            {...form.field('category')}
            disabled={readOnly}
          >
            {Object.entries(CATEGORIES).map(([category, label]) => (
              <option key={category} value={category}>
                {label}
              </option>
            ))}
          </SelectField>
          <SelectField
            label={words.department}
            {...form.field('department_id')}
            disabled={readOnly}
          >
            <option value="">{common.none}</option>
            {departments.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
        <SwitchField
          label={words.headsItsDepartment}
          {...form.toggle('is_head')}
          disabled={readOnly}
        />
      </div>
    </SettingsSection>
  )
}
