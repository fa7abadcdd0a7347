import type { Agent } from '@/api/types'

/** The catalog has published a newer version than the workspace's copy was made from. */
export function hasUpdate({ isHired, published_version, hired_version }: Agent): boolean {
  return isHired && published_version !== null && hired_version !== null && published_version > hired_version
}
