/** The open format's rule for names of skills. */
export function skillNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'Name is missing.'
  return name.length <= 64 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)
    ? undefined
    : 'Use small letters, digits and single hyphens, such as weekly-report.'
}
