import { recordOf } from '../../kernel/model/fold.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import type { Refusal } from '../../kernel/values/refusal.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { list, show, workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { workspaceOf } from '../../resources/workspace-of.ts'
import { asks, creates } from '../../resources/writes.ts'
import { checkRecords } from './check.ts'
import { type DkimKey, domain } from './model.ts'
import { newKey, rootOf, withFirstSender } from './request.ts'
import { sendingDomains } from './rules.ts'
import { domainParts } from './view.ts'

const DOMAINS = '/workspaces/{workspace_id}/emails/domains'
const ONE = '/emails/domains/{id}'

const open = recordOf(domain)

const keyFor = (input: WriteInput): Promise<DkimKey> => {
  const { external, vault, token } = input
  return newKey({ mail: external.mail, vault, token, workspaceId: workspaceOf(input) })
}

const requested = async (input: WriteInput): Promise<JsonObject | Refusal> => {
  const name = rootOf(String(input.fields.name ?? ''))
  if (typeof name !== 'string') return name
  if (input.document?.dkim_key) return {}
  const key = { dkim_key: await keyFor(input) }
  return input.exists ? key : { name, ...key, bounce_host: input.external.mail.domain ?? null }
}

/** Returns the domain that has the name, however it was spelled. */
const holder = async ({ fields, owner, read }: WriteInput): Promise<number | undefined> => {
  const name = rootOf(String(fields.name ?? ''))
  if (typeof name !== 'string') return undefined
  const [found] = await read.find(domain.name, { where: { workspace_id: Number(owner?.id), name }, limit: 1 })
  return found && Number(found.id)
}

const withSender = async ({ exists, id }: WriteInput, _: unknown, { wanted: { name } }: { wanted: JsonObject }) =>
  exists ? [] : [withFirstSender(id, String(name))]

const checked = ({ document, external }: WriteInput) => checkRecords(external.mail, open(document ?? {}))

/** Emails::Domain. */
export const sendingDomainResource = serve(domain, sendingDomains, {
  title: 'Emails::Domain',
  root: 'emails_domain',
  category: 'emails',
  under: workspace,
  indexes: [{ fields: ['workspace_id', 'name'] }],
  view: domainParts,
  operations: {
    listEmailsDomains: list(DOMAINS),
    createEmailsDomains: creates(DOMAINS, { upsert: 'name', holder, wanted: requested, followUps: withSender }),
    getEmailsDomains: show(ONE),
    verifyEmailsDomains: asks(`${ONE}/verify`, 'check', {
      consequence: null,
      summary: 'Looks up the records of a sending domain',
      wanted: checked,
    }),
    rotateEmailsDomains: asks(`${ONE}/rotate_dkim`, 'rotate', {
      consequence: 'changes the key that signs mails',
      beyondContract: true,
      summary: 'Makes a new DKIM key, which signs once its record was seen',
      wanted: async (input: WriteInput) => ({ key: await keyFor(input) }),
    }),
  },
})
