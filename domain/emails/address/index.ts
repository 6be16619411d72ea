import { Type } from 'typebox'
import { text } from '../../kernel/model/fields.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { flagFilter, list, show, textFilter, workspace } from '../../resources/operations.ts'
import { nullable } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import type { Loader } from '../../resources/view-types.ts'
import { changes, creates, removes } from '../../resources/writes.ts'
import { domain } from '../domain/model.ts'
import { isVerified } from '../domain/view.ts'
import { address } from './model.ts'
import { addresses } from './rules.ts'
import { NO_REPLY } from './sender.ts'
import { usableSendersBy } from './usable.ts'

const ADDRESSES = '/workspaces/{workspace_id}/emails/addresses'
const ONE = '/emails/addresses/{id}'

const openDomain = recordOf(domain)

type Sender = RecordOf<typeof address>

const noShared = () =>
  refuse.invalid(
    'Emails domain must be given: this installation has no domain that senders share',
    'emails_domain_id',
    'blank',
  )

/** Returns the domain of a sender as it will be, or why there is none. */
const domainOf = ({ fields, document, references, external, exists }: WriteInput): Document | string | Refusal => {
  const id = fields.emails_domain_id ?? document?.emails_domain_id ?? null
  const [named] = references.emails_domain_id ?? []
  if (named) return named
  const shared = external.mail.sharedDomain
  if (id === null && fields.domain !== undefined && fields.domain !== null && fields.domain !== shared)
    return refuse.invalid('Domain is none that senders share: use emails_domain_id', 'domain', 'inclusion')
  if (exists) return String(document?.email_address).split('@')[1] ?? ''
  return shared ?? noShared()
}

/** Returns what is stored of a sender: with its whole address. */
const withAddress = (input: WriteInput): JsonObject | Refusal => {
  const { domain: _, ...fields } = input.fields
  const found = domainOf(input)
  if (found instanceof Error) return found
  const username = String(fields.username ?? input.document?.username)
  if (typeof found === 'string' && username.trim().toLowerCase() === NO_REPLY)
    return refuse.invalid('Username has already been taken', 'username', 'taken')
  const name = typeof found === 'string' ? found : String(found.name)
  return {
    ...fields,
    email_address: `${username.trim()}@${name}`,
    ...(typeof found !== 'string' && { transport_verified: isVerified(openDomain(found)) }),
  }
}

/** Whether mail may be sent from an address. */
const isUsable = async ({ id, workspace_id }: Sender, load: Loader): Promise<boolean> =>
  (await usableSendersBy((resource) => load.where(resource, 'workspace_id', Number(workspace_id)))).has(id)

const transport = nullable(
  Type.Object({
    name: Type.String(),
    verified: Type.Boolean(),
    dkim_verified: Type.Boolean(),
    spf_verified: Type.Boolean(),
    dmarc_verified: Type.Boolean(),
    smtp_verified: Type.Boolean(),
  }),
)

const shownDomain = async ({ emails_domain_id: id }: Sender, load: Loader) => {
  const found = await load.one(domain.name, id)
  if (!found) return null
  const own = openDomain(found)
  const { name, dkim_verified, spf_verified, dmarc_verified } = own
  return { name, verified: isVerified(own), dkim_verified, spf_verified, dmarc_verified, smtp_verified: false }
}

const input = {
  domain: text({ nullable: true, about: 'One of the domains that senders share; default: that of the operator' }),
}

/** Emails::Address. */
export const addressResource = serve(address, addresses, {
  title: 'Emails::Address',
  root: 'emails_address',
  category: 'emails',
  under: workspace,
  indexes: [{ fields: ['workspace_id'] }, { fields: ['emails_domain_id'] }],
  view: {
    is_workspace_default: {
      schema: Type.Boolean({ description: "Whether it is on the operator's domain" }),
      of: ({ emails_domain_id }) => emails_domain_id === null,
    },
    usable_as_sender: { schema: Type.Boolean(), of: isUsable },
    emails_domain: { schema: transport, of: shownDomain },
  },
  operations: {
    listEmailsAddresses: list(ADDRESSES, {
      filters: { email_address: textFilter('email_address'), verified: flagFilter('transport_verified') },
    }),
    createEmailsAddresses: creates(ADDRESSES, { input, wanted: withAddress }),
    getEmailsAddresses: show(ONE),
    updateEmailsAddresses: changes(ONE, { consequence: 'changes whom mails are from', input, wanted: withAddress }),
    removeEmailsAddresses: removes(ONE, { summary: 'Archives a sender' }),
  },
})
