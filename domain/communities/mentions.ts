import { idIn } from '../kernel/values/ids.ts'
import { readHtml } from '../resources/html/read.ts'
import { mentionsIn as namedIn } from '../resources/html/safe-html.ts'

const ignore = () => undefined

/** Returns the contact whom a mention names; `null`: it names none. */
const contactIn = (value: string): number | null => (/^\d{1,15}$/.test(value) ? idIn(Number(value)) : null)

/** Returns the contacts whom HTML mentions, each once, in their order. */
export const mentionsIn = (html: string | null): readonly number[] => [
  ...new Set(namedIn(html ?? '').flatMap((value) => contactIn(value) ?? [])),
]

/**
 * Leaves nothing of mentions in HTML but whom they name: `<span data-mention="12"></span>`. What the element says, wherever it ends, and its other attributes
 * would outlive an erasure. Nobody sees them: the name is filled in when the text is shown.
 */
export const withoutNames = (html: string): string => {
  const parts: string[] = []
  let end = 0
  readHtml(html, {
    ...{ text: ignore, open: ignore, close: ignore },
    mention: (contactId, from) => {
      parts.push(html.slice(end, from), `<span data-mention="${contactIn(contactId) ?? ''}"></span>`)
    },
    mentionEnd: (to) => {
      end = to
    },
  })
  return parts.join('') + html.slice(end)
}
