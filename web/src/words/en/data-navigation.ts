// English: the group Data of the navigation.
import { catalog } from '../catalog'

export const words = catalog('data-navigation', {
  // layout/data-navigation
  data: 'Data',
  money: 'Money',
  sales: 'Sales',
  projects: 'Projects',
  knowledge: 'Knowledge',
  analytics: 'Analytics',
  channels: 'Channels',
  unreadMentions: 'unread mentions',
  imports: 'Imports',
  // layout/mention-news
  namedYou: '{author} mentioned you',
  namedYouIn: '{author} mentioned you in {channel}',
  repliedToYou: '{author} replied in a thread of yours',
  repliedToYouIn: '{author} replied in a thread of yours in {channel}',
  someoneWhoLeft: 'Someone who left',
})
