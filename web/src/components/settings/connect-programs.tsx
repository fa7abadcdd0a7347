import { CopyButton } from '@/components/ui/copy'
import { Tab, TabList, TabPanel, Tabs } from '@/components/ui/tabs'
import { words } from '@/words/en/settings'
import { say } from '@/words/say'
import { PROGRAMS, serverName } from './connect-snippets'

interface ConnectProgramsProps {
  workspace: string
  token: string
}

/** How other programs connect to a workspace: one tab for each, with what to copy. */
export function ConnectPrograms({ workspace, token }: ConnectProgramsProps) {
  const to = { url: `${window.location.origin}/mcp`, token, name: serverName(workspace) }
  return (
    <Tabs defaultValue={PROGRAMS[0]?.id}>
      <TabList aria-label={words.programs}>
        {PROGRAMS.map(({ id }) => (
          <Tab key={id} value={id}>
            {words.programNames[id]}
          </Tab>
        ))}
      </TabList>
      {PROGRAMS.map(({ id, file, snippet }) => (
        <TabPanel key={id} value={id}>
          <p className="text-sm text-muted">
            {file === undefined ? words.runThisCommand : say(words.putThisInto, { file })}
          </p>
          <div className="mt-2 flex items-start gap-2">
            <pre
              // A long line is scrolled with the keyboard too.
              role="group"
              tabIndex={0}
              dir="ltr"
              aria-label={say(words.snippetForProgram, { program: words.programNames[id] })}
              className="min-w-0 grow overflow-x-auto rounded-lg border border-border bg-background p-3 font-mono text-xs"
            >
              {snippet(to)}
            </pre>
            <CopyButton text={snippet(to)} label={say(words.copySnippetForProgram, { program: words.programNames[id] })} />
          </div>
        </TabPanel>
      ))}
    </Tabs>
  )
}
