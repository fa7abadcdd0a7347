// Short names for the bodies that the app passes around, all taken from the generated schema.
import type { components, paths } from './schema'

type Schemas = components['schemas']

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

/** As the app lists them: without the instructions, which can be long. */
export type Agent = Omit<Schemas['AgentWithHireStatus'], 'system_prompt'>
export interface AgentPage {
  agents: Agent[]
  total: number
}
export type AgentTool = Agent['toolDetails'][number]
export type AgentStats = Body<'/api/agents/stats', 'get', 200>
export type UsageReport = Schemas['UsageByDayView']
export type UsageDay = UsageReport['days'][number]
/** What one hired agent has done. */
export type AgentNumbers = AgentStats['agents'][number]

export type StreamEvent = Schemas['StreamEvent']
export type NoticeEvent = Schemas['NoticeEvent']
export type Conversation = Schemas['ConversationView']
/** With who holds it, and the turn under way. */
export type ListedConversation = Schemas['ListedConversation']
export type ConversationDetail = Schemas['ConversationDetail']
export type StoredMessage = Schemas['AgentMessage']
/** The time that one agent held a conversation. */
export type Activation = Schemas['ActivationView']
/** Who holds a conversation. */
export type Active = Schemas['ActiveView']
export type ForkPoint = Schemas['ForkPointView']
export type SwitchMark = Schemas['SwitchMark']
export type Attachment = Schemas['Attachment']
export type Approval = Schemas['ApprovalView']
/** What a call would change, for who decides about it. */
export type Preview = Schemas['Preview']
export type Department = Schemas['DepartmentView']
export type LocalAgent = Schemas['LocalAgent']
export type AIAgent = Schemas['AIAgent']
export type AgentDetail = Schemas['AgentDetail']
export type Team = Schemas['Team']
export type TeamMember = Schemas['TeamMember']
type ToolOf<Type extends Schemas['Tool']['type'], Config> = Omit<Schemas['Tool'], 'type' | 'config'> & { type: Type; config: Config }
export type HandoffTool = ToolOf<'handoff', Schemas['HandoffConfig']>
export type HttpApiTool = ToolOf<'http_api', Schemas['HttpApiConfig']>
export type SupabaseTool = ToolOf<'supabase_rpc', Schemas['SupabaseRpcConfig']>
/** One of Baton's own under another name. */
export type PresetTool = ToolOf<'internal', Schemas['PresetConfig']>
/** Somebody's MCP server: many tools. */
export type ToolServer = ToolOf<'mcp_server', Schemas['McpServerConfig']>
/** A tool that people defined. */
export type Tool = HandoffTool | HttpApiTool | SupabaseTool | PresetTool | ToolServer
export type ToolType = Tool['type']
/** One tool of a server, with what is allowed of it. */
export type ServerTool = Schemas['ServerTool']
export type ServerToolList = Schemas['ServerToolList']
export type ToolDifference = Schemas['ToolDifference']
export type ToolTestOutcome = Schemas['ToolTestOutcome']
export type ToolPermission = Schemas['ToolPermission']
export type OpenApiTools = Schemas['OpenApiTools']
export type OpenApiOperation = Schemas['OpenApiOperation']
export type ToolList = Schemas['ToolList']
export type ToolPreview = Schemas['ToolPreview']
export type ContextVariable = Schemas['ContextVariable']
export type TaskTree = Schemas['TaskTreeView']
export type Task = Schemas['Task']
export type TaskStep = Schemas['TaskStep']
export type TaskUsage = Schemas['UsageView']
export type Transitions = Schemas['TransitionsView']
export type Transition = Schemas['Transition']
export type TransitionPair = Schemas['PairView']
export type PublicWorkspace = Schemas['PublicWorkspace']
export type Models = Schemas['ModelsView']
export type AgentFields = Schemas['AgentFields']
export type NewAgent = Omit<Schemas['NewAgent'], 'workspaceId'>
export type NewTool = Omit<Schemas['NewTool'], 'workspaceId'>
export type NewHandoffTool = Omit<NewTool, 'config'> & { config: Schemas['NewHandoffConfig'] }
export type NewTeam = Omit<Schemas['NewTeam'], 'workspaceId'>
export type NewTeamMember = Schemas['NewTeamMember']
export type TeamKind = Team['kind']
export type Pack = Schemas['Pack']
export type PackTeam = Schemas['PackTeam']
export type Skill = Schemas['AgentSkill']
export type NewSkill = Omit<Schemas['NewSkill'], 'workspaceId'>
export type SkillChanges = Schemas['SkillChangesBody']
export type SkillsImported = Schemas['SkillsImported']
export type Rule = Schemas['RuleView']
export type NewRule = Omit<Schemas['NewRule'], 'workspaceId'>
export type RuleChanges = Schemas['RuleChangesBody']
export type Memory = Schemas['AgentMemory']
export type MemoryPage = Schemas['MemoryList']
export type MemoryScope = Memory['scope']

/** A page of the workspace's knowledge. */
export type Channel = Schemas['Channel']
export type ChannelPerson = Schemas['ChannelPerson']
export type ChannelMessage = Schemas['ChannelMessage']
export type ChannelMessages = Schemas['ChannelMessages']
export type ChannelMention = Schemas['ChannelMention']
export type FoundChannelMessage = Schemas['FoundChannelMessage']
export type KnowledgePage = Schemas['Page']
export type KnowledgeNode = Schemas['PageNode']
export type KnowledgeProperty = Schemas['PageProperty']
export type KnowledgeVersion = Schemas['PageVersionInfo']
export type FoundPages = Schemas['FoundPages']
export type FoundPage = Schemas['FoundPage']
export type TextPart = Schemas['TextPart']
export type PageFileInfo = Schemas['PageFile']
export type PagesImported = Schemas['PagesImported']
