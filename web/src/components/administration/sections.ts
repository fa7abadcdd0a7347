import { Bot, Users } from 'lucide-react'
import type { SectionGroup } from '@/components/settings/sections'

export const ADMINISTRATION_GROUPS: readonly SectionGroup[] = [
  {
    label: 'Server',
    sections: [
      { slug: 'catalog', label: 'Catalog', icon: Bot },
      { slug: 'profiles', label: 'Profiles', icon: Users },
    ],
  },
]
