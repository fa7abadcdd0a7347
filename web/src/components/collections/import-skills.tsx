import { useMutation } from '@tanstack/react-query'
import { File, FolderOpen, Upload } from 'lucide-react'
import { useRef } from 'react'
import { messageOf } from '@/api/errors'
import { Button } from '@/components/ui/button'
import { DropdownMenu, MenuItem } from '@/components/ui/dropdown-menu'
import { changeSkill, importSkills, useRefreshSkills } from '@/hooks/use-skills'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/collections'
import { say } from '@/words/say'

// React passes it on, but its types don't know it.
const FOLDER = { webkitdirectory: '' }

/** Imports skills from a SKILL.md, a zip, or a folder; the agent has the new ones at once. */
export function ImportSkills({ agentId }: { agentId: string }) {
  const workspace = useWorkspace()
  const refresh = useRefreshSkills()
  const file = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const run = useMutation({
    mutationFn: async (files: readonly globalThis.File[]) => {
      if (files.length === 0) throw new Error('no skill')
      const done = { taken: 0, leftOut: 0 }
      for (const one of files) {
        const { created, updated, left_out } = await importSkills(workspace.id, one)
        await Promise.all(created.map((skill) => changeSkill(skill.id, { agent_ids: [agentId] })))
        done.taken += created.length + updated.length
        done.leftOut += left_out.length
      }
      return done
    },
    onSuccess: ({ taken, leftOut }) => {
      const imported = say(words.countSkillsImported, { count: taken })
      notify(leftOut === 0 ? imported : `${imported} ${say(words.countOtherFilesLeftOut, { count: leftOut })}`)
    },
    onError: (error) => {
      notify(error.message === 'no skill' ? words.thereIsNoSKILLMd : messageOf(error), 'error')
    },
    onSettled: refresh,
  })
  const take = (input: HTMLInputElement, pick: (name: string) => boolean) => {
    run.mutate([...(input.files ?? [])].filter(({ name }) => pick(name)))
    input.value = ''
  }
  return (
    <>
      <input
        ref={file}
        type="file"
        accept=".md,.zip"
        hidden
        aria-label={words.skillFile}
        onChange={(event) => {
          take(event.target, () => true)
        }}
      />
      <input
        ref={folder}
        type="file"
        {...FOLDER}
        hidden
        aria-label={words.skillFolder}
        onChange={(event) => {
          take(event.target, (name) => name === 'SKILL.md')
        }}
      />
      <DropdownMenu
        align="end"
        trigger={
          <Button variant="ghost" pending={run.isPending}>
            {!run.isPending && <Upload aria-hidden className="size-4" />}
            {words.import}
          </Button>
        }
      >
        <MenuItem onSelect={() => file.current?.click()}>
          <File aria-hidden className="size-4 text-muted" />
          {words.skillMdOrZip}
        </MenuItem>
        <MenuItem onSelect={() => folder.current?.click()}>
          <FolderOpen aria-hidden className="size-4 text-muted" />
          {words.folder}
        </MenuItem>
      </DropdownMenu>
    </>
  )
}
