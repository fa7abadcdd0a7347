/** Where people land. */
export const HOME_PATH = '/agents'
