import { AccountData } from './account-data'
import { AccountForm } from './account-form'
import { CredentialsForm } from './credentials-form'

/** One's own account. */
export function ProfilePanel() {
  return (
    <>
      <AccountForm />
      <CredentialsForm />
      <AccountData />
    </>
  )
}
