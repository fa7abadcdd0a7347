/** The fields of `after` that say something else in `before`: a save sends no more, so it undoes nothing of a colleague's. */
export function changes<Body extends object>(before: Body, after: Body): Partial<Body> {
  const isChanged = ([field, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[field as keyof Body])
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<Body>
}
