import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Command } from 'commander'
import { programFile } from './places.ts'
import type { Filled } from './programs/fill.ts'
import { type Answer, caller, listen, openWorkspace, pacing, QuietWorkspace, subscribe } from './quiet-workspace.ts'
import { startService } from './service.ts'

/** Measures how a workspace is affected by two others: one tags all of its contacts, the other has an endpoint that never answers. */

const measure = async ({ contacts, alone }: { readonly contacts: string; readonly alone: string }): Promise<void> => {
  const home = await mkdtemp(path.join(tmpdir(), 'millrace-isolation-'))
  const data = path.join(home, 'data')
  const fill = execFileSync(process.execPath, [programFile('fill'), data, 'contacts', contacts], { maxBuffer: 1 << 28 })
  const filled = JSON.parse(fill.toString().trim().split('\n').at(-1)!) as Filled
  const service = await startService(data, { env: { MILLRACE_ALLOW_PRIVATE_TARGETS: '1' } })
  const { origin } = service.ready
  const tagging = caller(origin, filled.workspaceId, filled.token)
  const [hanging, quiet] = [openWorkspace(origin, data, 'hanging'), openWorkspace(origin, data, 'quiet')]
  const third = new QuietWorkspace(quiet)
  const [hung, quick] = [await listen(), await listen(({ subject_id }) => third.arrived(subject_id))]
  try {
    await subscribe(quiet, quick.url)
    const { body: tag } = await tagging.call('POST', `/workspaces/${tagging.workspaceId}/contacts/tags`, {
      contacts_tag: { name: 'Tagged' },
    })
    let isOver = false
    const ours = third.keepUp(() => isOver)
    await wait(Number(alone) * 1000)
    const before = third.times()
    await subscribe(hanging, hung.url)
    const theirs = pacing(
      100,
      () => isOver,
      (n) => hanging.call('POST', `/workspaces/${hanging.workspaceId}/contacts`, { contact: { first_name: `${n}` } }),
    )
    const begun = performance.now()
    const { body: job } = await tagging.call('POST', `/workspaces/${tagging.workspaceId}/contacts/tag_actions`, {
      contacts_tag_action: { tag_ids: [tag.id], target_all: true },
    })
    let completed: Answer
    do {
      await wait(100)
      completed = (await tagging.call('GET', `/contacts/tag_actions/${job.id}`)).body
    } while (!completed.completed_at)
    const seconds = (performance.now() - begun) / 1000
    const beside = third.times()
    isOver = true
    await Promise.all([ours, theirs])
    const tagged = { contacts: completed.performed_count, per_second: Math.round(completed.performed_count / seconds) }
    process.stdout.write(`${JSON.stringify({ tagged, alone: before, beside }, null, 2)}\n`)
  } finally {
    hung.closeAllConnections()
    await service.stop()
    await rm(home, { recursive: true, force: true })
  }
}

await new Command('isolation')
  .option('--contacts <number>', 'how many are tagged', '200000')
  .option('--alone <seconds>', 'for how long the third workspace is alone before', '10')
  .action(measure)
  .parseAsync()
process.exit(0)
