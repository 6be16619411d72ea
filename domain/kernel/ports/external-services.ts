import type { JsonObject } from '../values/event.ts'
import type { Refusal } from '../values/refusal.ts'
import type { Files } from './files.ts'
import type { Hosts } from './hosts.ts'
import type { Images } from './images.ts'
import type { MailSetup } from './mail.ts'

/** Services outside that a request may call before it is answered. */
export interface ExternalServices {
  /** Present only when it is configured. */
  readonly audiences?: AudienceTranslator
  readonly images: Images
  readonly files: Files
  readonly hosts: Hosts
  readonly mail: MailSetup
}

/** Turns the description of an audience into the criteria of a contact filter. */
export interface AudienceTranslator {
  /**
   * @param vocabulary fields that filters can use, with the names that the workspace has for them
   * @returns the proposed filter, unchecked, or a refusal: `unavailable` when another attempt may succeed
   */
  translate(text: string, vocabulary: JsonObject): Promise<JsonObject | Refusal>
}
