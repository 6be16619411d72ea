import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { type Spawned, spawnMillrace } from '../support/millrace.ts'
import { imageUrl } from '../support/servers/image-server.ts'

/** Processes that a process has started. Linux alone lists them. */
const childrenOf = (pid: number): readonly number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  )

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    // A zombie has ended.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

describe('the process that decodes images, beside the service', function () {
  this.timeout(60_000)
  let data: string
  let service: Spawned
  before(function () {
    if (process.platform !== 'linux') this.skip()
  })
  beforeEach(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-image-process-'))
    service = await spawnMillrace(data, { MILLRACE_ALLOW_PRIVATE_TARGETS: '1' })
  })
  afterEach(async () => {
    await service.stop('SIGKILL')
    await rm(data, { recursive: true, force: true })
  })

  const upload = async (): Promise<readonly number[]> => {
    const { origin, workspace_id, api_key } = service.ready
    const answer = await fetch(`${origin}/api/v2/workspaces/${workspace_id}/images`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ image: { upload_source_url: await imageUrl() } }),
    })
    expect(answer.status).to.equal(201)
    return childrenOf(service.child.pid!)
  }

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL'] as const) {
    it(`begins with the first image, and ends with the service: ${signal}`, async () => {
      expect(childrenOf(service.child.pid!)).to.deep.equal([])
      const children = await upload()
      expect(children).to.have.length(1)
      expect(await upload()).to.deep.equal(children)
      await service.stop(signal)
      for (const until = Date.now() + 10_000; children.some(isRunning); await wait(10))
        expect(Date.now()).to.be.below(until)
    })
  }
})
