import { SettingsSection } from '../agent-form/settings-section'
import { Cell, HeadCell, Table } from '../ui/table'

const SETTINGS = [
  { what: 'Key', anthropic: 'ANTHROPIC_API_KEY', openai: 'OPENAI_API_KEY' },
  { what: 'Base URL', anthropic: 'ANTHROPIC_BASE_URL', openai: 'OPENAI_BASE_URL' },
  { what: 'Model', anthropic: 'BATON_ANTHROPIC_MODEL', openai: 'BATON_OPENAI_MODEL' },
]

/** How a provider is set up, for whoever runs the server. */
export function AddModelKey() {
  return (
    <SettingsSection
      title="Add a provider"
      description="Whoever runs the server sets these in its environment, and starts it again. A key or a base URL is enough."
    >
      <div className="grid grid-cols-1 gap-4 text-sm">
        <Table
          caption="Settings of providers"
          head={
            <>
              <HeadCell>Setting</HeadCell>
              <HeadCell>Anthropic</HeadCell>
              <HeadCell>OpenAI and lookalikes</HeadCell>
            </>
          }
        >
          {SETTINGS.map(({ what, anthropic, openai }) => (
            <tr key={what}>
              <Cell className="font-medium whitespace-nowrap">{what}</Cell>
              <Cell className="font-mono text-xs leading-5">{anthropic}</Cell>
              <Cell className="font-mono text-xs leading-5">{openai}</Cell>
            </tr>
          ))}
        </Table>
        <p className="text-muted">
          With a base URL no key is needed: vLLM, llama.cpp, Ollama and gateways all work. A server that knows its models by
          names of its own needs the model as well.
        </p>
        <pre
          tabIndex={0}
          aria-label="Example"
          className="overflow-x-auto rounded-lg bg-subtle px-3 py-2.5 font-mono text-sm"
        >
          ANTHROPIC_API_KEY=sk-ant-… baton serve
        </pre>
      </div>
    </SettingsSection>
  )
}
