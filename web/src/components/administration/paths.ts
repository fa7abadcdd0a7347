export const CATALOG_PATH = '/administration/catalog'

export function entryPath(id: string): string {
  return `${CATALOG_PATH}?agent=${encodeURIComponent(id)}`
}
