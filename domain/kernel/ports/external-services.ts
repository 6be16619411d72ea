import type { JsonObject } from '../values/event.ts'
import type { Refusal } from '../values/refusal.ts'
import type { Files } from './files.ts'
import type { Images } from './images.ts'

/** What of the outside a request may need while it waits. */
export interface ExternalServices {
  /** There only when it is configured. */
  readonly audiences?: AudienceTranslator
  readonly images: Images
  readonly files: Files
}

/** Turns the description of an audience into the criteria of a contact filter. */
export interface AudienceTranslator {
  /**
   * @param vocabulary what may be asked of contacts, and the workspace's own names for it
   * @returns the filter as proposed, unchecked; or a refusal: `unavailable` when it is worth another try
   */
  translate(text: string, vocabulary: JsonObject): Promise<JsonObject | Refusal>
}
