import type { LocalAgent } from '@/api/types'
import { SettingsSection } from '@/components/forms/settings-section'
import { SelectField } from '@/components/ui/select-field'
import { SwitchField } from '@/components/ui/switch-field'
import { TextField } from '@/components/ui/text-field'
import { TextareaField } from '@/components/ui/textarea-field'
import { useDepartments } from '@/hooks/use-departments'
import { type AgentFormProps, CATEGORIES } from './agent-draft'
import { AvatarField } from './avatar-field'

/** How people know the agent. */
export function ProfileSection({ draft, change, problemWith, readOnly, slug }: AgentFormProps & { slug: string }) {
  const { data: departments = [] } = useDepartments()
  return (
    <SettingsSection id="profile" title="Profile" description="How people know it.">
      <div className="grid gap-5">
        <AvatarField
          value={draft.avatar_url}
          slug={slug}
          readOnly={readOnly}
          problem={problemWith('avatar_url')}
          onChange={(avatar_url) => {
            change({ avatar_url })
          }}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label="Name"
            name="name"
            value={draft.name}
            maxLength={100}
            readOnly={readOnly}
            problem={problemWith('name')}
            onChange={(name) => {
              change({ name })
            }}
          />
          <TextField
            label="Role"
            name="role"
            value={draft.role}
            maxLength={60}
            readOnly={readOnly}
            placeholder="Optional"
            hint="Such as finance coach. Visitors can reach agents whose role is “support”."
            problem={problemWith('role')}
            onChange={(role) => {
              change({ role })
            }}
          />
        </div>
        <TextareaField
          label="Description"
          name="description"
          value={draft.description}
          rows={2}
          maxLength={2_000}
          readOnly={readOnly}
          hint="People see it before they choose the agent; routers and teammates go by it."
          problem={problemWith('description')}
          onChange={(description) => {
            change({ description })
          }}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <SelectField
            label="Category"
            name="category"
            value={draft.category}
            disabled={readOnly}
            problem={problemWith('category')}
            onChange={(category) => {
              change({ category: category as LocalAgent['category'] })
            }}
          >
            {Object.entries(CATEGORIES).map(([category, label]) => (
              <option key={category} value={category}>
                {label}
              </option>
            ))}
          </SelectField>
          <SelectField
            label="Department"
            name="department_id"
            value={draft.department_id}
            disabled={readOnly}
            problem={problemWith('department_id')}
            onChange={(department_id) => {
              change({ department_id })
            }}
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
          name="is_head"
          checked={draft.is_head}
          disabled={readOnly}
          problem={problemWith('is_head')}
          onChange={(is_head) => {
            change({ is_head })
          }}
        />
      </div>
    </SettingsSection>
  )
}
