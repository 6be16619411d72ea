import { randomBytes } from 'node:crypto'
import { address } from '../../domain/emails/address/model.ts'
import { checkRecords } from '../../domain/emails/domain/check.ts'
import { domain as sendingDomain } from '../../domain/emails/domain/model.ts'
import { firstSender, newKey, rootOf, withFirstSender } from '../../domain/emails/domain/request.ts'
import { sendingDomains } from '../../domain/emails/domain/rules.ts'
import { type Ask, ask } from '../../domain/kernel/decide/ask.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { type Ids, withIds } from '../../domain/kernel/values/ids.ts'
import { Refusal, refuse } from '../../domain/kernel/values/refusal.ts'
import type { Resource } from '../../domain/resources/resource.ts'
import type { Loader } from '../../domain/resources/view-types.ts'
import { proofName, requestedDomain, websiteDomain, websiteDomains } from '../../domain/sites/public.ts'
import type { Outside } from '../external/outside.ts'
import { carryOut, type OperatorEngine } from './carry-out.ts'

interface DomainsDeps extends OperatorEngine {
  readonly live: ReadModels
  readonly vault: Pick<Vault, 'seal'>
  readonly ids: Ids
  readonly resources: ReadonlyMap<string, Resource>
  readonly loader: () => Loader
  readonly outside: Outside
  readonly now: (workspaceId: number) => number
}

/** Record of the Domain Name System that is to be published. */
export interface ShownRecord {
  readonly type: string
  readonly name: string
  readonly value: string
  readonly verified: boolean
}

/** A name that a workspace has, or asks for. */
export interface ShownName {
  readonly workspace_id: number
  readonly name: string
  /** `website`: pages are served there. `mail`: mail is sent from there. */
  readonly kind: 'website' | 'mail'
  readonly ready: boolean
  readonly records: readonly ShownRecord[]
  readonly next_steps: readonly string[]
}

const MAIL_RECORDS = ['dkim_record', 'spf_record', 'dmarc_record', 'return_address_record']

const token = (length: number): string => randomBytes(length).toString('hex').slice(0, length)

const orThrow = <T>(result: T | Refusal): T => {
  if (result instanceof Refusal) throw result
  return result
}

const openSending = recordOf(sendingDomain)

/** The operator's actions on the names of workspaces. */
export class OperatorDomains {
  readonly #deps: DomainsDeps

  constructor(deps: DomainsDeps) {
    this.#deps = deps
  }

  /** Asks for a name: for pages, or for mail. What is asked for already is shown as it is. @throws {Refusal} invalid, not found */
  async connect(sent: string, workspaceId: number, kind: ShownName['kind']): Promise<ShownName> {
    const workspace = await this.#workspace(workspaceId)
    return kind === 'mail' ? this.#requestMail(sent, workspace) : this.#requestWebsite(sent, workspace)
  }

  /** Looks the records of a name up. @returns what the workspace has it for @throws {Refusal} not found, or that a proof is not published */
  async verify(sent: string, workspaceId: number): Promise<readonly ShownName[]> {
    const workspace = await this.#workspace(workspaceId)
    const { mail, hosts } = this.#deps.outside
    const name = sent.trim().toLowerCase()
    const site = await this.#find(websiteDomain.name, name, workspaceId)
    const sending = await this.#find(sendingDomain.name, name, workspaceId)
    if (!site && !sending) throw refuse.notFound(`Not found: the workspace has not asked for ${name}`)
    if (sending) {
      const seen = await checkRecords(mail, openSending(sending))
      await this.#order(ask(sendingDomains, Number(sending.id), 'check', seen), workspace)
    }
    if (site && site.connected !== true) {
      const texts = await hosts.texts(proofName(name))
      await this.#order(ask(websiteDomains, Number(site.id), 'prove', { texts }), workspace)
    }
    return (await this.list(workspaceId)).filter((one) => one.name === name)
  }

  /** Lists the names of a workspace. @throws {Refusal} not found */
  async list(workspaceId: number): Promise<readonly ShownName[]> {
    await this.#workspace(workspaceId)
    const { live } = this.#deps
    const where = { workspace_id: workspaceId }
    const sites = await live.find(websiteDomain.name, { where })
    const sending = await live.find(sendingDomain.name, { where })
    return Promise.all([...sites.map((one) => this.#website(one)), ...sending.map((one) => this.#mail(one))])
  }

  async #requestWebsite(sent: string, workspace: Document): Promise<ShownName> {
    const wanted = orThrow(requestedDomain(sent, this.#deps.outside.hosts, token))
    const known = () => this.#find(websiteDomain.name, wanted.name, Number(workspace.id))
    if (!(await known())) {
      const id = await this.#mint(websiteDomain.name)
      await this.#order(ask(websiteDomains, id, 'create', wanted, { as: 'DomainRequested' }), workspace)
    }
    return this.#website((await known())!)
  }

  async #requestMail(sent: string, workspace: Document): Promise<ShownName> {
    const { vault } = this.#deps
    const { mail } = this.#deps.outside
    const name = orThrow(rootOf(sent))
    const workspaceId = Number(workspace.id)
    const known = () => this.#find(sendingDomain.name, name, workspaceId)
    if (!(await known())) {
      const dkim_key = await newKey({ mail, vault, workspaceId, token })
      const wanted = { name, dkim_key, bounce_host: mail.domain ?? null }
      await this.#order(ask(sendingDomains, await this.#mint(sendingDomain.name), 'create', wanted), workspace)
    }
    const found = (await known())!
    const where = { workspace_id: workspaceId, email_address: firstSender(name) }
    if ((await this.#deps.live.find(address.name, { where, limit: 1 })).length === 0) {
      const asked = withFirstSender(Number(found.id), name)
      await this.#order({ ...asked, id: await this.#mint(address.name) }, workspace)
    }
    return this.#mail(found)
  }

  async #website(document: Document): Promise<ShownName> {
    const { name, connected, proof } = await this.#shown(websiteDomain.name, document)
    const record = proof as Omit<ShownRecord, 'verified'> | null
    const ready = connected === true
    return {
      ...{ workspace_id: Number(document.workspace_id), name: String(name), kind: 'website', ready },
      records: record ? [{ ...record, verified: false }] : [],
      next_steps: ready ? [] : [`Publish the record, then run millrace domains verify ${name}`],
    }
  }

  async #mail(document: Document): Promise<ShownName> {
    const shown = await this.#shown(sendingDomain.name, document)
    const records = MAIL_RECORDS.map((field) => shown[field] as ShownRecord | null)
    return {
      ...{ workspace_id: Number(document.workspace_id), name: String(shown.name), kind: 'mail' },
      ready: shown.ready_for_sending === true,
      records: records.flatMap((one) => (one ? [one] : [])),
      next_steps: shown.next_steps as readonly string[],
    }
  }

  /** Returns a record as the API shows it. */
  async #shown(resource: string, document: Document): Promise<JsonObject> {
    const { resources, loader } = this.#deps
    return resources.get(resource)!.view.present(document, loader(), new Set())
  }

  async #workspace(id: number): Promise<Document> {
    const found = Number.isSafeInteger(id) ? await this.#deps.live.get('workspace', id) : undefined
    if (!found) throw refuse.notFound('No such workspace')
    return found
  }

  async #find(model: string, name: string, workspaceId: number): Promise<Document | undefined> {
    return (await this.#deps.live.find(model, { where: { workspace_id: workspaceId, name } }))[0]
  }

  #mint(kind: string): Promise<number> {
    const { ids } = this.#deps
    return withIds(ids, () => ids.next(kind))
  }

  async #order(asked: Ask, workspace: Document): Promise<void> {
    const workspaceId = Number(workspace.id)
    const scope = { teamId: Number(workspace.team_id), workspaceId }
    await carryOut(this.#deps, asked, scope, this.#deps.now(workspaceId))
  }
}
