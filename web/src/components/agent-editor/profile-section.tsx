import { SettingsSection } from '@/components/forms/section'
import { SelectField, SwitchField, TextareaField, TextField } from '@/components/ui/fields'
import { useDepartments } from '@/hooks/use-server'
import { type AgentFormProps, CATEGORIES } from './agent-draft'
import { AvatarField } from './avatar-field'

/** How people know the agent. */
export function ProfileSection({ form, readOnly, slug }: AgentFormProps & { slug: string }) {
  const { data: departments = [] } = useDepartments()
  return (
    <SettingsSection id="profile" title="Profile" description="How people know it.">
      <div className="grid gap-5">
        <AvatarField
          {...form.field('avatar_url')}
          slug={slug}
          readOnly={readOnly}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label="Name"
            {...form.field('name')}
            maxLength={100}
            readOnly={readOnly}
          />
          <TextField
            label="Role"
            {...form.field('role')}
            maxLength={60}
            readOnly={readOnly}
            placeholder="Optional"
            hint="Such as finance coach. Visitors can reach agents whose role is “support”."
          />
        </div>
        <TextareaField
          label="Description"
          {...form.field('description')}
          rows={2}
          maxLength={2_000}
          readOnly={readOnly}
          hint="People see it before they choose the agent; routers and teammates go by it."
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <SelectField
            label="Category"
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
            label="Department"
            {...form.field('department_id')}
            disabled={readOnly}
          >
            <option value="">None</option>
            {departments.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
        <SwitchField
          label="Heads its department"
          {...form.toggle('is_head')}
          disabled={readOnly}
        />
      </div>
    </SettingsSection>
  )
}
