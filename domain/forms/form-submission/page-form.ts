import { attributeKey } from '../../contacts/public.ts'
import type { Ask } from '../../kernel/decide/ask.ts'
import type { Engine } from '../../kernel/engine/engine.ts'
import { comparable } from '../../kernel/values/comparable.ts'
import { type Ids, mintFrom, withIds } from '../../kernel/values/ids.ts'
import { askForFields } from '../form/ask-for-fields.ts'
import { attributesIn, formOfContacts } from '../form/contact-attributes.ts'
import { forms } from '../form/rules.ts'

const CUSTOM = 'custom-attribute:'
const LONGEST_KEY = 64
const LONGEST_VALUE = 65_535

/** A custom attribute as a page sent it, under its own key. */
interface SentAttribute {
  readonly key: string
  readonly values: readonly string[]
}

/** What a form of a page has sent. */
export interface PageForm {
  /** Values of the elements that have a fixed name, by that name. Of several values the last one counts. */
  readonly fields: ReadonlyMap<string, string>
  /** Custom attributes, by the key under which the contact has them. */
  readonly attributes: ReadonlyMap<string, SentAttribute>
  /** Number of values that cannot be stored. */
  readonly dropped: number
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000')

const nameOf = (key: string): string | undefined =>
  key.length <= LONGEST_KEY && isStorable(key) && !/\p{Cc}/u.test(key) ? attributeKey(key) : undefined

/** Returns the text that holds the values of an attribute: several are a JSON list, so that they can be told apart whatever is in them. */
const textOf = ({ values }: SentAttribute): string => (values.length === 1 ? (values[0] ?? '') : JSON.stringify(values))

/** Reads what a page has sent: pairs of the name of an element and its value. */
export const readPageForm = (sent: Iterable<readonly [element: string, value: string]>): PageForm => {
  const fields = new Map<string, string>()
  const attributes = new Map<string, { readonly key: string; readonly values: string[] }>()
  let dropped = 0
  for (const [element, value] of sent) {
    const isCustom = element.startsWith(CUSTOM)
    const key = isCustom ? element.slice(CUSTOM.length) : element
    const name = isCustom ? nameOf(key) : key
    if (name === undefined || value.length > LONGEST_VALUE || !isStorable(value) || !isStorable(key)) dropped++
    else if (!isCustom) fields.set(name, value)
    else {
      const before = attributes.get(name)
      if (before) before.values.push(value)
      else attributes.set(name, { key, values: [value] })
    }
  }
  return { fields, attributes, dropped }
}

/**
 * Returns the data of the record of a submission: values by the names of the elements, custom attributes by their keys. An attribute whose key is the
 * name of another element has its full name.
 */
export const submittedData = ({ fields, attributes }: PageForm): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...fields,
    ...[...attributes.values()].map(
      (one) => [fields.has(one.key) ? `${CUSTOM}${one.key}` : one.key, textOf(one)] as const,
    ),
  ])

/** Returns the custom attributes that the contact gets. */
export const contactAttributes = ({ attributes }: PageForm): Readonly<Record<string, string>> =>
  Object.fromEntries([...attributes].map(([name, one]) => [name, textOf(one)]))

interface AdmitDeps {
  readonly engine: Pick<Engine, 'records'>
  readonly ids: Ids
  /** Carries out a command. */
  transact(asked: Ask): Promise<unknown>
}

/**
 * Returns a form without the custom attributes that its page may not make up: attributes that are new in the workspace become fields of the form of the
 * contacts, at most twenty of a page in a day. What is over is dropped and counted, and the submission itself is kept.
 */
export const admitAttributes = async (
  { engine, ids, transact }: AdmitDeps,
  { workspaceId, pageId, sent }: { readonly workspaceId: number; readonly pageId: number; readonly sent: PageForm },
): Promise<PageForm> => {
  const known = async () => attributesIn(await engine.records(forms, formOfContacts(workspaceId), -1))
  const missingFrom = (attributes: ReadonlySet<string>) =>
    [...sent.attributes.keys()].filter((name) => !attributes.has(comparable(name)))
  const keys = missingFrom(await known())
  if (keys.length === 0) return sent
  const asked = await withIds(ids, () => askForFields({ workspaceId, keys, pageId }, mintFrom(ids)))
  for (const one of asked) await transact(one)
  const refused = new Set(missingFrom(await known()))
  const attributes = new Map([...sent.attributes].filter(([name]) => !refused.has(name)))
  return { ...sent, attributes, dropped: sent.dropped + refused.size }
}
