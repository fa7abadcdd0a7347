import type { ToolServer } from '@/api/types'
import { SettingsSection } from '@/components/forms/section'
import type { DraftForm } from '@/components/forms/use-form'
import { SelectField, SwitchField, TextareaField, TextField } from '@/components/ui/fields'
import { useSession } from '@/hooks/use-session'
import { words } from '@/words/en/servers'
import { say } from '@/words/say'
import { newHeader } from './header-draft'
import { HeaderRows } from './header-rows'
import type { ToolFormProps } from './http-form'
import { KnownServers } from './known-servers-list'
import { NameFields } from './name-fields'
import { checkServer, type ServerDraft, serverDraft, serverTool } from './server-draft'
import { ServerToolsSection } from './server-tools-section'
import { ToolFrame } from './tool-frame'
import { useToolForm } from './use-tool-form'

/** Somebody's MCP server: how it is reached, and, once it is, what of it agents may use. */
export function ServerForm({ tool, taken, agents, readOnly }: ToolFormProps<ToolServer>) {
  const building = useToolForm<ServerDraft>({ tool, taken, readOnly, saved: serverDraft(tool), check: checkServer, bodyOf: serverTool })
  const { form } = building
  const { draft } = form
  return (
    <div className="grid grid-cols-1 gap-6">
      {tool && !readOnly && <ServerToolsSection server={tool} />}
      {!tool && (
        <KnownServers
          chosen={draft.transport === 'configured' ? draft.server : draft.url}
          onChoose={({ id, url, header }) => {
            const headers = header === undefined ? [] : [newHeader({ name: header })]
            form.change({ transport: 'http', name: id, description: words.known[id].description, url, headers })
          }}
          onChooseConfigured={({ name, description }) => {
            form.change({ transport: 'configured', server: name, name, description })
          }}
        />
      )}
      <ToolFrame {...building} {...{ tool, agents, readOnly }} action={words.addServer}>
        <SettingsSection title={words.connection} description={words.connectionDescription}>
          <div className="grid grid-cols-1 gap-5">
            <Transport form={form} readOnly={readOnly} isNew={tool === undefined} />
            <NameFields
              form={form}
              taken={taken}
              readOnly={readOnly}
              placeholders={words.placeholders}
              nameHint={words.nameHint}
              descriptionHint={words.descriptionHint}
            />
            <SwitchField {...form.toggle('isTrusted', 'config.trust')} label={words.trustIt} hint={words.trustItHint} disabled={readOnly} />
          </div>
        </SettingsSection>
      </ToolFrame>
    </div>
  )
}

interface TransportProps {
  form: DraftForm<ServerDraft>
  readOnly: boolean
  isNew: boolean
}

/** An address, or a program on this server's machine: the latter only where a server admin decides. */
function Transport({ form, readOnly, isNew }: TransportProps) {
  const { profile } = useSession()
  const { draft, change, problemWith } = form
  const plain = { readOnly, autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, controlClass: 'font-mono' }
  return (
    <>
      {(profile.is_admin || draft.transport !== 'http') && (
        <SelectField
          label={words.transport}
          name="config.transport"
          value={draft.transport}
          disabled={readOnly || !isNew || !profile.is_admin}
          hint={draft.transport === 'stdio' ? words.programNote : undefined}
          onChange={(transport) => {
            change({ transport })
          }}
        >
          <option value="http">{words.byAddress}</option>
          <option value="stdio">{words.byProgram}</option>
          {draft.transport === 'configured' && <option value="configured">{say(words.byConfiguration, { server: draft.server })}</option>}
        </SelectField>
      )}
      {draft.transport === 'http' ? (
        <>
          <TextField
            label={words.address}
            {...form.field('url', 'config.url')}
            {...plain}
            type="url"
            maxLength={2_000}
            placeholder={words.addressPlaceholder}
            hint={words.addressHint}
          />
          <HeaderRows
            place="config.headers"
            kind="headers"
            rows={draft.headers}
            readOnly={readOnly}
            problemWith={problemWith}
            onChange={(headers) => {
              change({ headers })
            }}
          />
        </>
      ) : draft.transport === 'configured' ? null : (
        <>
          <TextField label={words.program} {...form.field('program', 'config.program')} {...plain} maxLength={1_000} placeholder={words.programPlaceholder} />
          <TextareaField
            label={words.programArguments}
            {...form.field('programArguments', 'config.arguments')}
            {...plain}
            rows={3}
            placeholder={words.programArgumentsPlaceholder}
            hint={words.onePerLine}
          />
          <HeaderRows
            place="config.secret_environment"
            kind="environment"
            rows={draft.environment}
            readOnly={readOnly}
            problemWith={problemWith}
            onChange={(environment) => {
              change({ environment })
            }}
          />
        </>
      )}
    </>
  )
}
