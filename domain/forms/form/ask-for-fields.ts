import { type Ask, ask } from '../../kernel/decide/ask.ts'
import type { MintId } from '../../kernel/values/ids.ts'
import { formOfContacts } from './contact-attributes.ts'
import { field, fieldSet } from './model.ts'
import { forms } from './rules.ts'

/** Attributes that contacts of a workspace have, and the page that they came from. */
export interface AskedFields {
  readonly workspaceId: number
  readonly keys: readonly string[]
  readonly pageId: number | null
}

/** Returns the commands that give attributes of contacts their fields. They may be repeated: the first creates the form unless it exists. */
export const askForFields = ({ workspaceId, keys, pageId }: AskedFields, mint: MintId): readonly Ask[] => {
  const id = formOfContacts(workspaceId)
  const ids = [mint(fieldSet), ...keys.map(() => mint(field))]
  return [
    ask(forms, id, 'create', { name: 'Contact attributes' }, { as: 'ContactAttributesFormCreated' }),
    ask(forms, id, 'ensureFields', { keys, from_page_id: pageId }, { ids }),
  ]
}
