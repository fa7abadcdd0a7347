import { AboutSection } from './about-section'
import { AccountData } from './account-data'
import { AccountForm } from './account-form'
import { CredentialsForm } from './credentials-form'
import { KeyboardSection } from './keyboard-section'

/** One's own account. */
export function ProfilePanel() {
  return (
    <>
      <AccountForm />
      <KeyboardSection />
      <CredentialsForm />
      <AccountData />
      <AboutSection />
    </>
  )
}
