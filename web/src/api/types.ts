// Short names for the bodies that the app passes around, all taken from the generated schema.
import type { paths } from './schema'

type Body<Path extends keyof paths, Method extends 'get' | 'post', Status extends number> = paths[Path] extends {
  [M in Method]: { responses: { [S in Status]: { content: { 'application/json': infer Content } } } }
}
  ? Content
  : never

export type AuthOptions = Body<'/api/auth/options', 'get', 200>
export type Session = Body<'/api/auth/me', 'get', 200>
export type Profile = Session['profile']
export type Workspace = Session['workspaces'][number]
export type LinkPreview = Body<'/api/auth/links/preview', 'post', 200>
export type Invitation = Body<'/api/invitations/{token}', 'get', 200>

export type AgentPage = Body<'/api/agents', 'get', 200>
export type Agent = AgentPage['agents'][number]
export type AgentTool = Agent['toolDetails'][number]
export type AgentStats = Body<'/api/agents/stats', 'get', 200>
/** What one hired agent has done. */
export type AgentNumbers = AgentStats['agents'][number]
