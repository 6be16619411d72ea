import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type ApiClient, apiClient, ok } from '../../support/client.ts'
import { millrace, type Spawned, spawnMillrace } from '../../support/millrace.ts'

/** Contacts that are created at the same time. */
const AT_ONCE = 50

/** A service in a process of its own, with a test workspace, which is stopped and killed and starts again. */
export class KilledService {
  readonly data: string
  #service: Spawned
  #token = ''
  /** Path of the workspace. */
  workspace = ''

  private constructor(data: string, service: Spawned) {
    this.data = data
    this.#service = service
  }

  static async begin(name: string): Promise<KilledService> {
    const data = await mkdtemp(path.join(tmpdir(), `millrace-${name}-`))
    const one = new KilledService(data, await spawnMillrace(data))
    const { workspace_id: id } = await one.#asked('workspace', 'create', '--name', 'Tested', '--test')
    one.#token = (await one.#asked('keys', 'create', '--workspace', String(id), '--json')).token
    one.workspace = `/workspaces/${id}`
    return one
  }

  async #asked(...args: readonly string[]) {
    const { code, out, err } = await millrace([...args, '--data', this.data])
    expect(code, err).to.equal(0)
    return JSON.parse(out)
  }

  get api(): ApiClient {
    return apiClient(this.#service.ready.origin, this.#token)
  }

  stop(signal?: NodeJS.Signals): Promise<number | null> {
    return this.#service.stop(signal)
  }

  /** Ends it, and starts it again. */
  async again(signal: NodeJS.Signals): Promise<void> {
    await this.stop(signal)
    this.#service = await spawnMillrace(this.data)
  }

  async remove(): Promise<void> {
    await this.stop('SIGKILL')
    await rm(this.data, { recursive: true, force: true })
  }

  async tag(name: string): Promise<number> {
    return ok(await this.api.post(`${this.workspace}/contacts/tags`, { contacts_tag: { name } })).id
  }

  async createContacts(count: number): Promise<void> {
    for (let made = 0; made < count; made += AT_ONCE)
      await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, count - made) }, (_, index) =>
          this.api.post(`${this.workspace}/contacts`, { contact: { email_address: `c${made + index}@example.com` } }),
        ),
      )
  }
}
