import { SettingsSection } from '@/components/forms/settings-section'

const PROVIDERS = [
  {
    name: 'Anthropic',
    settings: [
      ['ANTHROPIC_API_KEY', 'The key'],
      ['ANTHROPIC_BASE_URL', 'Another address, without /v1'],
      ['BATON_ANTHROPIC_MODEL', 'The model that names mean there'],
    ],
  },
  {
    name: 'OpenAI and lookalikes',
    settings: [
      ['OPENAI_API_KEY', 'The key'],
      ['OPENAI_BASE_URL', 'Another address, with /v1'],
      ['BATON_OPENAI_MODEL', 'The model that names mean there'],
    ],
  },
]

/** How a provider is set up, for whoever runs the server. */
export function AddModelKey() {
  return (
    <SettingsSection
      title="Add a provider"
      description="Whoever runs the server sets these in its environment and starts it again. A key or a base URL is enough."
    >
      <div className="grid grid-cols-1 gap-5 text-sm">
        <div className="grid gap-5 sm:grid-cols-2">
          {PROVIDERS.map(({ name, settings }) => (
            <div key={name} className="min-w-0">
              <h3 className="mb-2 font-medium">{name}</h3>
              <dl className="grid gap-2">
                {settings.map(([setting, meaning]) => (
                  <div key={setting}>
                    <dt className="font-mono text-xs wrap-anywhere">{setting}</dt>
                    <dd className="text-muted">{meaning}</dd>
                  </div>
                ))}
              </dl>
            </div>
          ))}
        </div>
        <p className="text-muted">
          With a base URL no key is needed: vLLM, llama.cpp, Ollama and gateways all work. A server that knows its models by
          names of its own needs the model as well.
        </p>
        <code className="block rounded-lg bg-subtle px-3 py-2.5 font-mono text-xs wrap-anywhere">
          ANTHROPIC_API_KEY=sk-ant-… baton serve
        </code>
      </div>
    </SettingsSection>
  )
}
