import type { IncomingMessage } from 'node:http'
import { gzipSync } from 'node:zlib'
import { renderRefusal } from '../../api/errors.ts'
import { findRoute } from '../../api/handlers/operate.ts'
import { unpackState } from '../../api/handlers/state-token.ts'
import { countedAs } from '../../api/http/failed-attempts.ts'
import { parseJson } from '../../api/http/json.ts'
import { localesIn } from '../../api/http/locales.ts'
import { browserOf } from '../../api/http/user-agent.ts'
import { withoutEnd } from '../../api/members/trailing.ts'
import { listQuery } from '../../api/query.ts'
import { PREFIX, routesOf } from '../../api/routes.ts'
import { regionIn } from '../../domain/addresses/public.ts'
import { normalizeAttributes } from '../../domain/contacts/contact/attributes.ts'
import { contactResource } from '../../domain/contacts/contact/index.ts'
import { checkCriteria } from '../../domain/filters/criteria/check.ts'
import { proposedFrom } from '../../domain/filters/criteria/criterion.ts'
import { parseDescription } from '../../domain/filters/language/parse.ts'
import { TagNames } from '../../domain/filters/language/tag-names.ts'
import { CONTACTS } from '../../domain/filters/refine-filter/model.ts'
import { proposedBy } from '../../domain/filters/select.ts'
import { resources } from '../../domain/index.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import { firstLine, withoutAddresses } from '../../domain/kernel/react/failure.ts'
import type { Json } from '../../domain/kernel/values/event.ts'
import { toUnits } from '../../domain/kernel/values/money.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { markupProblem } from '../../domain/pages/markup/check.ts'
import { serializeMarkup } from '../../domain/pages/markup/serialize.ts'
import { urlOf } from '../../domain/pages/page/address.ts'
import { externalUrl } from '../../domain/pages/page/external-url.ts'
import { buyerIn, reportedIn } from '../../domain/purchases/purchase/reported.ts'
import { rooted, slugOf } from '../../domain/resources/attributes/slug.ts'
import { csvLine } from '../../domain/resources/jobs/csv.ts'
import type { ListOperation } from '../../domain/resources/operation.ts'
import { normalizePercent } from '../../domain/store/discount/terms.ts'
import { tidy } from '../../domain/store/product/properties.ts'
import { parseRetryAfter } from '../../domain/webhooks/retry.ts'
import { targetObjection } from '../../infra/outbound/target.ts'
import { ids } from './projection.ts'

/** Something that reads text from outside, and the longest text that it can get. */
export interface Scanner {
  readonly name: string
  readonly longest: number
  scan(text: string): unknown
}

const BODY = 1024 * 1024
/** Longest token that is read. */
const TOKEN = 256 * 1024
/** Highest size of the custom attributes of a contact, and so of a row of an export. */
const ATTRIBUTES = 256 * 1024
/** Limit of Node.js for all headers of a request, and so for its path and query string. */
const HEADERS = 16 * 1024

const quietly = (scan: () => unknown): unknown => {
  try {
    return scan()
  } catch (error) {
    return error
  }
}

const tags = new TagNames().add(
  Array.from({ length: 4000 }, (_, index) => ({
    publicId: `t${index}`,
    name: `${'a '.repeat(index % 40)}tag ${index}`,
  })),
)
tags.add(['has', 'without', 'a', 'tagged a and b'].map((name) => ({ publicId: name, name })))

const find = findRoute(routesOf(resources))
const vault = { token: (_purpose: string, value: string) => value } as Vault
const contacts = { resource: contactResource, operation: contactResource.operations.listContacts as ListOperation }
const query = (text: string) => new URLSearchParams(text)
const parseId = (value: unknown, kind: string) => ids.of(kind).parse(value)
const external = (external_url: string) => ({ external: false, external_url, current_path: external_url })
const headless = (method: string, url: string) => find({ method, url } as IncomingMessage)

/** Scanners of texts that come in a body, or that are made of one. */
const ofBodies: readonly Omit<Scanner, 'longest'>[] = [
  { name: 'parseJson', scan: parseJson },
  { name: 'markupProblem', scan: markupProblem },
  { name: 'serializeMarkup', scan: serializeMarkup },
  { name: 'normalizeAttributes, values', scan: (text) => normalizeAttributes({ key: text }) },
  { name: 'toUnits', scan: (text) => toUnits(text, 2) },
  { name: 'normalizePercent', scan: normalizePercent },
  { name: 'rooted', scan: rooted },
  { name: 'externalUrl', scan: externalUrl },
  {
    name: 'urlOf',
    scan: (text) => urlOf(external(`${text}/`), 'https://a.example', { funnelPath: text, stepPath: text }),
  },
  { name: 'regionIn', scan: (text) => regionIn('US', text) },
  { name: 'firstLine', scan: firstLine },
  { name: 'renderRefusal', scan: (text) => renderRefusal(refuse.invalid(text, text), 'id') },
  {
    name: 'reportedIn',
    scan: (text) => reportedIn({ type: text, timestamp: text, data: { id: text, amount: text } }, ''),
  },
  { name: 'buyerIn', scan: (text) => buyerIn({ data: { user: { email: text, name: text } } }) },
  { name: 'public id', scan: (text) => parseId(text, 'contact') },
]

/** Scanners of texts in the head of a request. */
const ofHeads: readonly Omit<Scanner, 'longest'>[] = [
  { name: 'localesIn', scan: localesIn },
  { name: 'countedAs', scan: countedAs },
  { name: 'browserOf', scan: browserOf },
  { name: 'browserOf, versions', scan: (text) => browserOf(`Version/${text}`) },
  { name: 'withoutEnd', scan: (text) => withoutEnd(`${text}/x/`) },
  { name: 'findRoute', scan: (text) => headless('GET', `${PREFIX}/workspaces/${text}`) },
  { name: 'query string', scan: (text) => listQuery(query(text), { ...contacts, base: {} }, ids, vault) },
  { name: 'filter', scan: (text) => listQuery(query(`filter[id]=${text}`), { ...contacts, base: {} }, ids, vault) },
  { name: 'filter name', scan: (text) => listQuery(query(`filter[${text}]=1`), { ...contacts, base: {} }, ids, vault) },
  { name: 'parseRetryAfter', scan: (text) => parseRetryAfter(text, 0) },
]

/** Scanners whose field, or rule, bounds the text further. */
const ofShortTexts: readonly Scanner[] = [
  { name: 'parseDescription', longest: 4000, scan: (text) => parseDescription(text, { tags }) },
  { name: 'unpackState', longest: TOKEN, scan: unpackState },
  { name: 'csvLine', longest: ATTRIBUTES, scan: (text) => csvLine([text, [text]]) },
  { name: 'withoutAddresses', longest: ATTRIBUTES, scan: withoutAddresses },
  { name: 'tidy', longest: 255, scan: tidy },
  { name: 'slugOf', longest: 255, scan: (text) => slugOf(text, 'page') },
  { name: 'normalizeAttributes, keys', longest: 255, scan: (text) => normalizeAttributes({ [text]: '' }) },
  {
    name: 'targetObjection',
    longest: 2048,
    scan: (text) => targetObjection(text, { allowPrivate: false, exempt: new Set() }),
  },
  {
    name: 'targetObjection, host',
    longest: 2048,
    scan: (text) => targetObjection(`https://${text}.example`, { allowPrivate: false, exempt: new Set() }),
  },
]

export const scanners: readonly Scanner[] = [
  ...ofBodies.map((one) => ({ ...one, longest: BODY })),
  ...ofHeads.map((one) => ({ ...one, longest: HEADERS })),
  ...ofShortTexts,
].map((one) => ({ ...one, scan: (text) => quietly(() => one.scan(text)) }))

/** JSON lists of up to a number of bytes and items that are costly to read, by what is repeated in them. */
export const wideJson: readonly { readonly name: string; of(bytes: number, most?: number): string }[] = [
  ['numbers', (n: number) => `${n}`],
  ['empty objects', () => '{}'],
  ['objects with keys of their own', (n: number) => `{"k${n}":1}`],
  ['nested lists', () => '[[[]]]'],
  ['public ids', (n: number) => `"abcdef${String.fromCharCode(97 + (n % 26), 97 + ((n >> 5) % 26))}"`],
  ['conditions', (n: number) => `{"attribute":"tags.id","clause":"in","value":[${n},"abcdefgh"]}`],
  ['conditions on texts', (n: number) => `{"attribute":"first_name","clause":"eq","value":"${'x'.repeat(200)}${n}"}`],
].map(([name, item]) => ({
  name: String(name),
  of: (bytes, most = Number.POSITIVE_INFINITY) => {
    const items: string[] = []
    for (let size = 0, n = 0; size < bytes && n < most; n++) {
      const text = (item as (n: number) => string)(n)
      items.push(text)
      size += text.length + 1
    }
    return `[${items.join(',')}]`
  },
}))

/** Token of a filter whose state is this JSON list of conditions. */
export const tokenOf = (criteria: string): string =>
  gzipSync(`{"filter_class":"${CONTACTS}","conjunction":"and","criteria":${criteria}}`).toString('base64')

const isList = (value: unknown): value is readonly Json[] => Array.isArray(value)

/** What is read of the criteria of a filter, and of the token of one. */
export const readCriteria = (json: string): unknown =>
  quietly(() => {
    const sent = parseJson(json)
    return isList(sent) && checkCriteria(proposedFrom(sent, parseId) ?? [], 'all', new Map())
  })
export const readToken = (token: string): unknown =>
  quietly(() => {
    const proposal = proposedBy(token, { unpack: unpackState, parseId })
    return 'criteria' in proposal && checkCriteria(proposal.criteria, 'all', new Map())
  })
