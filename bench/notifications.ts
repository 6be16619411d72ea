import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Command } from 'commander'
import { fillWithMembers } from '../test/reliability/member-fill.ts'
import { BUSINESS } from '../test/support/records/emails.ts'
import { serve } from './child.ts'
import { programFile } from './places.ts'
import { type Answer, caller, listen, openWorkspace, QuietWorkspace, subscribe } from './quiet-workspace.ts'
import { apiOf, startService } from './service.ts'

/** Measures how a workspace is affected while another one tells all members of a community of a new post, by mail to a sink. */

/** Makes a community whose members are told of everything, in a data directory that a service has just left. @returns its space */
const prepare = async (data: string, count: number) => {
  const service = await startService(data, { demo: true })
  const call = apiOf(service.ready)
  const community = await call<Answer>('POST', 'communities', {
    community: { name: 'Potters', send_membership_email: false, notifications: 'all' },
  })
  const groups = `/communities/${community.id}/space_groups`
  const group = await call<Answer>('POST', groups, { communities_space_group: { name: 'Kilns' } })
  const spaces = `/communities/space_groups/${group.id}/spaces`
  const space = await call<Answer>('POST', spaces, { communities_space: { name: 'Open' } })
  const workspaceId = Number(service.ready.workspace_id)
  const { team_id: teamId } = await call<Answer>('GET', `/workspaces/${workspaceId}`)
  await service.stop()
  await fillWithMembers(data, { teamId, workspaceId, communityId: community.id }, count, (n) => ({
    email_address: `m${n}@example.com`,
    first_name: `Member ${n}`,
  }))
  return { spaceId: Number(space.id), workspaceId, apiKey: service.ready.api_key! }
}

/** Asks a sink now and then how many mails it has taken. */
const takenBy = (port: number): (() => Promise<number>) => {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  let said: (line: string) => void = () => undefined
  socket.on('data', (text: string) => said(text))
  return () =>
    new Promise((resolve) => {
      said = (text) => {
        const [, count] = /252 (\d+)/.exec(text) ?? []
        if (count !== undefined) resolve(Number(count))
      }
      socket.write('VRFY all\r\n')
    })
}

const measure = async ({ members, alone }: { readonly members: string; readonly alone: string }): Promise<void> => {
  const home = await mkdtemp(path.join(tmpdir(), 'millrace-notifications-'))
  const data = path.join(home, 'data')
  const { spaceId, workspaceId, apiKey } = await prepare(data, Number(members))
  const sink = await serve<{ readonly port: number }>(programFile('mail-sink'))
  const env = {
    MILLRACE_ALLOW_PRIVATE_TARGETS: '1',
    SMTP_URL: `smtp://127.0.0.1:${sink.ready.port}?tls=no`,
    MILLRACE_MAIL_RATE: '1000000/1m',
    MILLRACE_MAIL_RECEIVING_RATE: '1000000/1m',
    MILLRACE_MAIL_WARM_UP: 'no',
    MILLRACE_MAIL_DOMAIN: 'mail.example.com',
  }
  const service = await startService(data, { env })
  const { origin } = service.ready
  const community = caller(origin, workspaceId, apiKey)
  const quiet = new QuietWorkspace(openWorkspace(origin, data, 'quiet'))
  const quick = await listen(({ subject_id }) => quiet.arrived(subject_id))
  const taken = takenBy(sink.ready.port)
  try {
    await subscribe(quiet.caller, quick.url)
    await community.call('PUT', `/workspaces/${workspaceId}/emails/settings`, { marketing_setting: BUSINESS })
    const address = { username: 'news', name: 'Potters' }
    await community.call('POST', `/workspaces/${workspaceId}/emails/addresses`, { emails_address: address })
    let isOver = false
    const ours = quiet.keepUp(() => isOver)
    await wait(Number(alone) * 1000)
    const before = quiet.times()
    const begun = performance.now()
    const post = { title: 'Kiln day', body: '<p>Bring your pots on Sunday.</p>' }
    await community.call('POST', `/communities/spaces/${spaceId}/posts`, { communities_spaces_post: post })
    while ((await taken()) < Number(members)) await wait(500)
    const seconds = (performance.now() - begun) / 1000
    const beside = quiet.times()
    isOver = true
    await ours
    const told = {
      members: await taken(),
      seconds: Math.round(seconds),
      per_second: Math.round(Number(members) / seconds),
    }
    process.stdout.write(`${JSON.stringify({ told, alone: before, beside }, null, 2)}\n`)
  } finally {
    quick.closeAllConnections()
    await service.stop()
    await sink.stop()
    await rm(home, { recursive: true, force: true })
  }
}

await new Command('notifications')
  .option('--members <number>', 'how many are told', '100000')
  .option('--alone <seconds>', 'for how long the quiet workspace is alone before', '20')
  .action(measure)
  .parseAsync()
process.exit(0)
