import type { CommandService } from '../commands.ts'
import type { Service } from '../service.ts'

/** What is needed to find out who sends a request. */
export type SessionService = Pick<Service, 'engine' | 'secrets' | 'now' | 'accountsUrl'>

/** Dependencies of the pages on which people sign in. */
export type AccountsService = SessionService &
  CommandService &
  Pick<Service, 'everywhere' | 'vault' | 'shortTerm' | 'userLinks' | 'userMail' | 'invitationLinks' | 'logger'>
