// English: auth.
import { catalog } from '../catalog'

export const words = catalog('auth', {
  // pages/invitation
  yourInvitation: 'Your invitation',
  // pages/sign-in-link
  theLinkCouldNotBe: 'The link could not be checked',
  // pages/sign-in
  createAnAccount: 'Create an account',
  email: 'Email',
  password: 'Password',
  theDemosOwnerHasNo: 'The demo’s owner has no password. On the server, this prints a link:',
  noPasswordAnAdminOf: 'No password? An admin of the server can print a link:',
  // pages/sign-up
  accountsAreByInvitation: 'Accounts are by invitation',
  signUpIsClosed: 'Sign-up is closed',
  askSomeoneWhoIsAlready: 'Ask someone who is already here to invite you, then open the link you get.',
  thisServerTakesNoNew: 'This server takes no new accounts. Ask the person who runs it.',
  // auth/auth-states
  loading: 'Loading',
  // auth/invitation
  youJoinedWorkspaceName: 'You joined {workspaceName}.',
  acceptInvitation: 'Accept invitation',
  useAnotherAccount: 'Use another account',
  theInvitationCouldNotBe: 'The invitation could not be loaded',
  thisInvitationNoLongerWorks: 'This invitation no longer works',
  thisInvitationNoLongerDescription: 'It has expired, was withdrawn, or has been used. Ask the person who sent it for a new one.',
  goToBaton: 'Go to Baton',
  iHaveAnAccount: 'I have an account',
  joinWorkspaceName: 'Join {workspaceName}',
  // auth/link-sign-in
  welcomeBack: 'Welcome back',
  thisLinkSignsInEmail: 'This link signs in {email}.',
  signInAsPerson: 'Sign in as {person}',
  thisLinkNoLongerWorks: 'This link no longer works',
  thisLinkNoLongerDescription: 'A sign-in link works once and for a short time. It has been used, has expired, or was not copied whole.',
  signInWithAPassword: 'Sign in with a password',
  forANewLinkRun: 'For a new link, run this on the server:',
  setUpThisServer: 'Set up this server',
  setUpThisServerDescription: 'Nobody is here yet. Your account will be the one that runs it.',
  // auth/sign-up-form
  createAccount: 'Create account',
  theInvitationWasSentTo: 'The invitation was sent to this address.',
  passwordHint: 'At least 8 characters.',
  createAnAccountToBegin: 'Create an account to begin.',
  haveAnAccount: 'Have an account? <link>Sign in</link>',
  newHere: 'New here? <link>Create an account</link>',
  youAreSignedInAs: 'You are signed in as {email}.',
  invitesYouToJoin: {
    owner: '{name} invites you to join as an owner.',
    admin: '{name} invites you to join as an admin.',
    member: '{name} invites you to join as a member.',
  },
  youAreInvited: {
    owner: 'You are invited to join as an owner.',
    admin: 'You are invited to join as an admin.',
    member: 'You are invited to join as a member.',
  },
})
