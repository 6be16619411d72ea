import { boundTo } from '../../../domain/kernel/decide/bound-reader.ts'
import type { FactReader } from '../../../domain/kernel/decide/command.ts'
import { openDocument, PERSONAL } from '../../../domain/kernel/model/personal.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import { beginningOf, charactersIn } from '../../../domain/kernel/values/characters.ts'
import { isJsonObject, type JsonObject } from '../../../domain/kernel/values/event.ts'
import { idIn } from '../../../domain/kernel/values/ids.ts'
import { allows } from '../../../domain/kernel/values/scopes.ts'
import type { Resource } from '../../../domain/resources/resource.ts'
import type { Agent } from '../agent.ts'

/** Attributes by which people know a record, the best first. */
const NAMES = ['name', 'title', 'subject', 'email_address', 'label', 'code', 'url', 'description', 'file_name'] as const

/** Letters of a value that are shown. */
const LONGEST = 300

/** Characters that would break a line, or change the direction or the look of what stands around them. */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu

/** Returns a text in one line and in quotation marks. Of a long one the beginning, and how long it is. */
export const quoted = (text: string): string => {
  const line = text.replace(UNSHOWN, ' ').trim()
  const beginning = beginningOf(line, LONGEST)
  return beginning === line ? `“${line}”` : `“${beginning}…” (${charactersIn(line)} characters)`
}

/** Returns the name of a kind of record in words: "orders transaction" for Orders::Transaction. */
export const kindWords = ({ title }: Pick<Resource, 'title'>): string =>
  title
    .replaceAll('::', ' ')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()

const moneyOf = ({ total_amount, amount, currency }: JsonObject): string | undefined => {
  const sum = total_amount ?? amount
  return typeof sum === 'string' ? [sum, String(currency ?? '').toUpperCase()].join(' ').trim() : undefined
}

const nameIn = (record: JsonObject): string | undefined => {
  const named = NAMES.map((name) => record[name]).find((value) => typeof value === 'string' && value !== '')
  const { first_name, last_name } = record
  const person = [first_name, last_name].filter((part) => typeof part === 'string' && part !== '').join(' ')
  const name = [person, typeof named === 'string' ? named : ''].filter((part) => part !== '').join(', ')
  return name === '' ? undefined : quoted(name)
}

/** Names records to a person who is asked. What a program may not see is left out where it hears what the person is asked. */
export class RecordWords {
  readonly read: FactReader
  readonly #agent: Agent
  readonly #isForProgram: boolean

  constructor(agent: Agent, teamId: number, isForProgram: boolean) {
    this.#agent = agent
    this.#isForProgram = isForProgram
    this.read = boundTo(agent.service.everywhere, { teamId, workspaceId: agent.access.workspaceId })
  }

  resource(name: string): Resource | undefined {
    return this.#agent.service.resources.get(name)
  }

  parseId(value: unknown, kind: string): number | undefined {
    return this.#agent.service.publicIds.of(kind).parse(value)
  }

  /** Returns kind, id, name and amount of a record. */
  async of(kind: string, id: unknown): Promise<string> {
    const resource = this.resource(kind)
    const known = this.parseId(id, kind)
    const found = known === undefined ? undefined : await this.read.get(kind, known)
    if (!resource || !found) return `${resource ? kindWords(resource) : kind} ${quoted(String(id))}, which is not there`
    return this.about(resource, found)
  }

  /** Returns kind, id, name, amount and contact of a record. */
  async about(resource: Resource, document: Document): Promise<string> {
    const plain = `${kindWords(resource)} ${document.id}`
    if (this.#isForProgram && !allows(this.#agent.access.caller.scopes, resource.category, 'read')) return plain
    const opened = await openDocument(this.#agent.service.vault, document)
    const personal = opened[PERSONAL]
    const record = { ...opened, ...(isJsonObject(personal) && personal) }
    const contactId = resource.name === 'contact' ? null : idIn(record.contact_id)
    const said = [nameIn(record), moneyOf(record)].filter((part) => part !== undefined).join(', ')
    const whose = contactId === null ? '' : ` of ${await this.of('contact', contactId)}`
    return `${plain}${said === '' ? '' : ` ${said}`}${whose}`
  }
}
