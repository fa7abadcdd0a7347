import type { AccountChanges } from '@/api/account'
import { isEmail, NO_ADDRESS, problemsOf } from '@/components/forms/checks'

export interface Credentials {
  email: string
  password: string
  current_password: string
}

const SHORTEST = 8

export function checkCredentials({ email, password }: Credentials): Record<string, string> {
  return problemsOf({
    email: !isEmail(email) && NO_ADDRESS,
    password: password !== '' && password.length < SHORTEST && `Use at least ${SHORTEST} characters.`,
  })
}

/** Only what changed, and the proof if there is one. */
export function changesOf(saved: Credentials, draft: Credentials): AccountChanges {
  return {
    ...(draft.email === saved.email ? {} : { email: draft.email }),
    ...(draft.password === '' ? {} : { password: draft.password }),
    ...(draft.current_password === '' ? {} : { current_password: draft.current_password }),
  }
}
