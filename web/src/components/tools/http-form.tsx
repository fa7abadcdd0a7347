import type { Agent, HttpApiTool } from '@/api/types'
import { SettingsSection } from '@/components/forms/section'
import type { DraftForm } from '@/components/forms/use-form'
import { Button } from '@/components/ui/button'
import { SelectField, TextField } from '@/components/ui/fields'
import { words } from '@/words/en/tool-forms'
import { say } from '@/words/say'
import { AnswerSection } from './answer-section'
import { HeaderRows } from './header-rows'
import { checkHttp, hasBody, type HttpDraft, httpDraft, httpTool, type Method, METHODS, unfilled } from './http-draft'
import { NameFields } from './name-fields'
import { parameterNames, withPlaces } from './parameters-draft'
import { ParametersField } from './parameters-field'
import { ToolFrame } from './tool-frame'
import { TrySection } from './try-section'
import { useToolForm } from './use-tool-form'

export interface ToolFormProps<Kind> {
  /** Nothing for a new one. */
  tool: Kind | undefined
  taken: readonly string[]
  agents: readonly Agent[]
  readOnly: boolean
}

/** A request to somebody's API. */
export function HttpForm({ tool, taken, agents, readOnly }: ToolFormProps<HttpApiTool>) {
  const building = useToolForm<HttpDraft>({ tool, taken, readOnly, saved: httpDraft(tool), check: checkHttp, bodyOf: httpTool })
  const { form } = building
  const { draft, change, problemWith } = form
  return (
    <ToolFrame
      {...building}
      {...{ tool, agents, readOnly }}
      beside={tool && !readOnly && <TrySection toolId={tool.id} name={tool.name} schema={tool.config.parameters ?? {}} isDirty={form.isDirty} />}
    >
      <SettingsSection title={words.request} description={words.requestDescription}>
        <div className="grid grid-cols-1 gap-5">
          <NameFields form={form} taken={taken} readOnly={readOnly} placeholders={words.httpPlaceholders} />
          <div className="grid grid-cols-1 gap-5 sm:grid-cols-[8rem_minmax(0,1fr)] sm:gap-3">
            <SelectField<Method> label={words.method} {...form.field('method', 'config.method')} disabled={readOnly}>
              {METHODS.map((method) => (
                <option key={method}>{method}</option>
              ))}
            </SelectField>
            <AddressField form={form} readOnly={readOnly} />
          </div>
        </div>
      </SettingsSection>
      <ParametersField
        draft={draft.parameters}
        readOnly={readOnly}
        problemWith={problemWith}
        onChange={(parameters) => {
          change({ parameters })
        }}
      />
      <SettingsSection title={words.headersTitle} description={words.headersDescription}>
        <HeaderRows
          place="config.headers"
          kind="headers"
          titleHidden
          rows={draft.headers}
          readOnly={readOnly}
          problemWith={problemWith}
          onChange={(headers) => {
            change({ headers })
          }}
        />
      </SettingsSection>
      <AnswerSection pick={form.field('pick', 'config.pick')} trustedAs={form.field('trustedAs', 'config.trusted_as')} readOnly={readOnly}>
        {hasBody(draft) && (
          <SelectField label={words.bodyFrom} {...form.field('bodyFrom', 'config.body_from')} disabled={readOnly} hint={words.bodyFromHint}>
            <option value="">{words.allThatIsLeft}</option>
            {parameterNames(draft.parameters).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
        )}
      </AnswerSection>
    </ToolFrame>
  )
}

/** The address, with a way to make parameters of the places in it. */
function AddressField({ form, readOnly }: { form: DraftForm<HttpDraft>; readOnly: boolean }) {
  const places = unfilled(form.draft)
  return (
    <div className="grid min-w-0 gap-2">
      <TextField
        label={words.address}
        {...form.field('url', 'config.url')}
        readOnly={readOnly}
        type="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={2_000}
        placeholder={words.addressPlaceholder}
        hint={words.addressHint}
        controlClass="font-mono"
      />
      {places.length > 0 && !readOnly && (
        <Button
          variant="secondary"
          size="sm"
          className="max-w-full justify-self-start"
          onClick={() => {
            form.change(({ parameters, url }) => ({ parameters: withPlaces(parameters, url) }))
          }}
        >
          <span className="truncate">{say(words.makeParameters, { places: places.join(', ') })}</span>
        </Button>
      )}
    </div>
  )
}
