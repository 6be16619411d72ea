import type { MailLinks } from '../../domain/kernel/ports/mail-links.ts'
import type { MemberLinks } from '../../domain/kernel/ports/member-links.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import type { FileOf } from '../../domain/resources/view-types.ts'
import type { PagesService } from '../pages/service.ts'
import type { Service } from '../service.ts'

/** Dependencies of the members' side. */
export type MembersService = PagesService &
  Pick<Service, 'progress' | 'publicUrl' | 'shortTerm' | 'advances'> & {
    readonly vault: Vault
    readonly mailLinks: MailLinks
    readonly memberLinks: MemberLinks
    /** Returns a link to a file, for some seconds. */
    readonly download: (file: FileOf, lastsS: number) => string
  }
