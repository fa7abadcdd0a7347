import { SectionQuery } from '@/components/forms/section-query'
import { SettingsSection } from '@/components/forms/settings-section'
import { Notice } from '@/components/ui/notice'
import { useModels } from '@/hooks/use-models'
import { AddModelKey } from './add-model-key'
import { AliasList } from './alias-list'
import { ProviderList } from './provider-list'

/** What agents think with on this server. */
export function ModelsPanel() {
  const query = useModels()
  return (
    <SectionQuery query={query} what="models">
      {({ demo, providers, aliases }) => (
        <>
          <SettingsSection
            title="Providers"
            description="Where models are asked, the preferred one first. They are set up on the server, for all workspaces."
          >
            {demo ? (
              <Notice>
                <p className="font-medium">Only the demo model answers.</p>
                <p>
                  No provider is set up, so everything you see is made by a built-in model without a network. It calls
                  tools and hands off as they would, but it knows nothing by itself. It costs nothing.
                </p>
              </Notice>
            ) : (
              <ProviderList providers={providers} />
            )}
          </SettingsSection>
          <SettingsSection
            title="Names"
            description="What an agent’s model stands for here, and what a million tokens of it cost."
          >
            <AliasList aliases={aliases} />
          </SettingsSection>
          <AddModelKey />
        </>
      )}
    </SectionQuery>
  )
}
