// English: agents.
import { catalog } from '../catalog'

export const words = catalog('agents', {
  // pages/discover
  discover: 'Discover',
  discoverDescription: 'Find agents and hire them for {name}',
  searchAgents: 'Search agents',
  // pages/missing-agent
  premiumAgent: 'Premium agent',
  agentNotFound: 'Agent not found',
  thisAgentIsNotOpen: 'This agent is not open to you',
  thisAgentDoesNotWork: 'This agent does not work here',
  discoverAgents: 'Discover Agents',
  itMayHaveBeenLet: 'It may have been let go, or was never hired.',
  // pages/my-agents
  myAgentsDescription: 'The agents that work in {name}',
  createAnAgent: 'Create an agent',
  discoverMore: 'Discover More',
  loadingAgents: 'Loading agents',
  countAgents: { one: '{count} agent', other: '{count} agents' },
  theAgentsCouldNotBe: 'The agents could not be loaded',
  // agents/agent-card
  versionIsPublished: 'Version {version} is published',
  updateAvailable: 'Update available',
  hireToGetStarted: 'Hire to get started',
  numbersAreNotAvailableRight: 'Numbers are not available right now.',
  countConversations: { one: '{count} conversation', other: '{count} conversations' },
  countTasksCompleted: { one: '{count} task completed', other: '{count} tasks completed' },
  countScheduled: '{count} scheduled',
  // agents/agent-grid
  moreAboutName: 'More about {name}',
  unhire: 'Unhire…',
  hireAgentName: 'Hire Agent: {name}',
  hireAgent: 'Hire Agent',
  noAgentsHiredYet: 'No agents hired yet',
  browseAgents: 'Browse Agents',
  discoverAndHireAIAgents: 'Discover and hire AI agents to help automate your work',
  // agents/agent-tools
  nameNotAvailableOnThis: '{name}: not available on this server',
  notAvailable: '(not available)',
  moreHidden: 'more: {hidden}',
  // agents/discover-list
  all: 'All',
  department: 'Department',
  noAgentsToHireYet: 'No agents to hire yet',
  agentsAppearHereOnceThis: 'Agents appear here once this server has some.',
  noAgentsInThisDepartment: 'No agents in this department',
  noAgentsMatchSearch: 'No agents match “{search}”',
  showAllAgents: 'Show all agents',
  namesAndDescriptionsAreSearched: 'Names and descriptions are searched. Try another word.',
  hireATeam: 'Hire a team',
  agentsThatHandWorkTo: 'Agents that hand work to each other: pipelines, routers and swarms, ready to go.',
  // agents/hire-dialog
  hireName: 'Hire {name}?',
  itJoinsThisWorkspaceFor: 'The agent joins this workspace, for everyone in it.',
  thisAgentCanHelpWith: 'This agent can help with:',
  noneItOnlyTalks: 'None: it only talks',
  allInstructions: 'All instructions',
  countAgentsHiredOnesIncluded: { one: '{count} agent, hired ones included', other: '{count} agents, hired ones included' },
  countAgentsForHire: { one: '{count} agent for hire', other: '{count} agents for hire' },
  countAgentsForHireHired: { one: '{count} agent for hire, {hired} hired already', other: '{count} agents for hire, {hired} hired already' },
  // agents/model-options
  priceNotKnown: 'Price not known',
  free: 'Free',
  inputPriceInOutputPriceOut: '{inputPrice} in, {outputPrice} out',
  // agents/unhire-dialog
  unhireName: 'Unhire {name}?',
  itLeavesNameForEveryone: 'The agent leaves {name} for everyone. Hiring it again brings it back as it was.',
  unhireButton: 'Unhire',
  meetAgentName: 'Meet Agent {name}',
  questionsOfAllKinds: 'Questions of all kinds',
  priceForAMillionTokens: '{price} for a million tokens',
  noModelForItHere: 'no model has this name here',
  demoModel: 'demo model',
  countAgentsAllHired: { one: '{count} agent, hired already', other: '{count} agents, all hired already' },
})
