// What holds for the whole server: its departments and its models.
import { $api } from '@/api/client'

/** The departments agents belong to. */
export function useDepartments() {
  return $api.useQuery('get', '/api/departments', {}, { select: ({ departments }) => departments, staleTime: 5 * 60_000 })
}

/** What agents think with. */
export function useModels() {
  // They change when the server starts anew.
  return $api.useQuery('get', '/api/models', {}, { staleTime: 5 * 60_000 })
}
