import { Tokenizer } from 'htmlparser2'
import { escapeHtml } from '../kernel/values/html.ts'
import { idIn } from '../kernel/values/ids.ts'
import { mentionsIn as namedIn } from '../resources/html/safe-html.ts'

/** Attribute of an element that mentions a contact: `<span data-mention="12">Ada</span>`. Its value is the id of the contact. */
const ATTRIBUTE = 'data-mention'

/** A reference to a contact in HTML. What the element says is not what is shown: the name is filled in. */
export interface Mention {
  readonly contactId: number
  /** Where the content of the element begins and ends. */
  readonly from: number
  readonly to: number
}

const ignore = () => undefined

/** Returns the contact whom a mention names; `null`: it names none. */
const contactIn = (value: string): number | null => (/^\d{1,15}$/.test(value) ? idIn(Number(value)) : null)

/** Finds mentions as the tokens of HTML come. No tree is made of it, so it takes time in proportion to the length. */
class Finder {
  readonly found: Mention[] = []
  readonly #html: string
  #tag = ''
  #attribute = ''
  #value = ''
  /** Mention whose element is open. */
  #open: { readonly contactId: number; readonly tag: string; readonly from: number } | undefined
  #mentioned: number | null = null

  constructor(html: string) {
    this.#html = html
  }

  beginTag(from: number, to: number): void {
    this.#tag = this.#html.slice(from, to).toLowerCase()
    this.#mentioned = null
  }

  attribute(from: number, to: number): void {
    this.#attribute = this.#html.slice(from, to).toLowerCase()
    this.#value = ''
  }

  value(from: number, to: number): void {
    this.#value += this.#html.slice(from, to)
  }

  endAttribute(): void {
    if (this.#attribute === ATTRIBUTE) this.#mentioned ??= contactIn(this.#value)
  }

  endTag(end: number): void {
    if (this.#mentioned === null || this.#open || (this.#tag !== 'span' && this.#tag !== 'a')) return
    this.#open = { contactId: this.#mentioned, tag: this.#tag, from: end + 1 }
  }

  close(from: number, to: number): void {
    if (this.#open?.tag !== this.#html.slice(from, to).toLowerCase()) return
    // The closing tag begins with two characters before its name.
    this.found.push({ contactId: this.#open.contactId, from: this.#open.from, to: from - 2 })
    this.#open = undefined
  }
}

/** Returns the mentions in HTML, in their order. */
const findMentions = (html: string): readonly Mention[] => {
  const finder = new Finder(html)
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: false },
    {
      onopentagname: (from, to) => finder.beginTag(from, to),
      onattribname: (from, to) => finder.attribute(from, to),
      onattribdata: (from, to) => finder.value(from, to),
      onattribend: () => finder.endAttribute(),
      onopentagend: (end) => finder.endTag(end),
      onclosetag: (from, to) => finder.close(from, to),
      onattribentity: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onend: ignore,
      onprocessinginstruction: ignore,
      onselfclosingtag: ignore,
      ontext: ignore,
      ontextentity: ignore,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return finder.found
}

/** Returns the contacts whom HTML mentions, each once, in their order. */
export const mentionsIn = (html: string | null): readonly number[] => [
  ...new Set(namedIn(html ?? '').flatMap((value) => contactIn(value) ?? [])),
]

/** Fills in how those are called now whom HTML mentions. @param nameOf returns the name of a contact, as text */
export const withNames = (html: string, nameOf: (contactId: number) => string): string => {
  const parts: string[] = []
  let end = 0
  for (const { contactId, from, to } of findMentions(html)) {
    parts.push(html.slice(end, from), escapeHtml(nameOf(contactId)))
    end = to
  }
  return parts.join('') + html.slice(end)
}
