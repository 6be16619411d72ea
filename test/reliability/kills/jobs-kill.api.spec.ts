import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { type ApiClient, apiClient } from '../../support/client.ts'
import { type Spawned, spawnMillrace } from '../../support/millrace.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { byForm, patience, printFigures } from '../form.ts'

const CONTACTS = byForm(1500, 300_000)
const MEANT = CONTACTS / 3
const KILLS = byForm(2, 20)
const AT_ONCE = 50
/** Most contacts in one part of a file. */
const IN_PART = 200

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))

describe('an action on many contacts that is killed while it runs', function () {
  this.timeout(patience)
  let data: string
  let service: Spawned
  let token: string
  let api: ApiClient
  let contacts: string
  const meant: number[] = []
  const all: number[] = []

  const start = async () => {
    service = await spawnMillrace(data)
    const { origin, workspace_id, api_key } = service.ready
    token ??= api_key!
    api = apiClient(origin, token)
    contacts = `/workspaces/${workspace_id}/contacts`
  }

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-jobs-kill-'))
    await start()
    for (let first = 0; first < CONTACTS; first += AT_ONCE) {
      const batch = Array.from({ length: AT_ONCE }, (_, index) => {
        const number = first + index
        const fields = { email_address: `c${number}@example.com`, first_name: number % 3 === 0 ? 'Ada' : 'Bob' }
        return api.post(contacts, { contact: fields })
      })
      for (const answer of await Promise.all(batch)) {
        const { id, first_name } = createdBody(answer)
        all.push(id)
        if (first_name === 'Ada') meant.push(id)
      }
    }
    for (const ids of [meant, all]) ids.sort((a, b) => a - b)
  })
  after(async () => {
    await service.stop('SIGKILL')
    await rm(data, { recursive: true, force: true })
  })

  const action = async (id: number) => createdBody(await api.get(`/contacts/tag_actions/${id}`))

  /** Waits until the action has reached a contact. */
  const comeTo = async (id: number): Promise<void> => {
    while (createdBody(await api.get(`/contacts/${id}`)).tags.length === 0) await pause(1)
  }

  const tagged = async (tagId: number): Promise<number> => {
    let count = 0
    for (let after = ''; ; ) {
      const page = await api.get(`${contacts}?filter[tag_ids]=${tagId}${after}`)
      for (const { first_name, tags } of createdBody(page)) {
        expect([first_name, tags.length]).to.deep.equal(['Ada', 1])
        count++
      }
      const next = page.headers.get('pagination-next')
      if (!next) return count
      after = `&after=${next}`
    }
  }

  it('reaches each of them and no other contact, and counts each once', async () => {
    const tag = createdBody(await api.post(`${contacts}/tags`, { contacts_tag: { name: 'Meant' } }))
    const { stable_id } = createdBody(await api.post(`${contacts}/filters`, { text: 'first name is Ada' }))
    const { id, filter_id } = createdBody(
      await api.post(`${contacts}/tag_actions`, { contacts_tag_action: { tag_ids: [tag.id], stable_id } }),
    )
    let kills = 0
    for (let next = 1; next <= KILLS; next++) {
      await comeTo(meant[Math.floor((next * MEANT) / (KILLS + 1))]!)
      if ((await action(id)).completed_at) break
      await service.stop('SIGKILL')
      kills++
      await start()
    }
    expect(kills).to.be.greaterThan(0)
    while (!(await action(id)).completed_at) await pause(50)
    const { target_count, performed_count, failed_count, failed_ids, ...others } = await action(id)
    expect({ target_count, performed_count, failed_count, failed_ids }).to.deep.equal({
      target_count: MEANT,
      performed_count: MEANT,
      failed_count: 0,
      failed_ids: [],
    })
    expect(others.filter_id).to.equal(filter_id)
    expect(await tagged(tag.id)).to.equal(MEANT)
    printFigures('action', `${kills} kills on its way; ${MEANT} of ${CONTACTS} contacts tagged, each once`)
  })

  const parts = async (id: number): Promise<readonly string[]> => {
    const names = await readdir(path.join(data, 'blobs/contacts', `export_action-${id}`)).catch(() => [])
    return names.filter((name) => /^\d+$/.test(name))
  }

  it('exports each of them, once, in the order of their ids', async () => {
    const fields = ['id', 'email_address']
    const { id } = createdBody(
      await api.post(`${contacts}/export_actions`, { contacts_export_action: { fields, target_all: true } }),
    )
    const exported = async () => createdBody(await api.get(`/contacts/export_actions/${id}`))
    let kills = 0
    for (let next = 1; next <= KILLS; next++) {
      const far = Math.floor((next * CONTACTS) / IN_PART / (KILLS + 1))
      while ((await parts(id)).length < far) await pause(1)
      if ((await exported()).completed_at) break
      await service.stop('SIGKILL')
      kills++
      await start()
    }
    expect(kills).to.be.greaterThan(0)
    while (!(await exported()).completed_at) await pause(50)
    const { target_count, performed_count, failed_count, file_url } = await exported()
    expect({ target_count, performed_count, failed_count }).to.deep.equal({
      target_count: CONTACTS,
      performed_count: CONTACTS,
      failed_count: 0,
    })
    const [header, ...lines] = (await (await fetch(file_url)).text()).split('\r\n')
    expect(header).to.equal('Id,Email address')
    expect(lines.pop()).to.equal('')
    expect(lines.map((line) => Number(line.split(',')[0]))).to.deep.equal(all)
    expect(new Set(lines.map((line) => line.split(',')[1])).size).to.equal(CONTACTS)
    printFigures('export', `${kills} kills on its way; ${CONTACTS} contacts, each once in the file`)
  })

  it('leaves nothing of an export that is removed while it runs', async () => {
    const asked = { contacts_export_action: { fields: ['id'], target_all: true } }
    for (const isKilled of [false, true]) {
      const { id } = createdBody(await api.post(`${contacts}/export_actions`, asked))
      while ((await parts(id)).length < 2) await pause(1)
      expect(createdBody(await api.get(`/contacts/export_actions/${id}`)).completed_at).to.equal(null)
      expect((await api.delete(`/contacts/export_actions/${id}`)).status).to.equal(204)
      if (isKilled) {
        await service.stop('SIGKILL')
        await start()
      }
      while ((await parts(id)).length > 0) await pause(10)
      // A job that was still running would have written its next part by then.
      await pause(300)
      expect(await parts(id)).to.deep.equal([])
    }
  })
})
