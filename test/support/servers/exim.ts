import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { eventually } from '../eventually.ts'

const EXIM = '/usr/sbin/exim4'
/** User that Debian's Exim delivers as. */
const USER = 'Debian-exim'

const whyNot = (): string | undefined => {
  if (!existsSync(EXIM)) return `there is no mail server at ${EXIM}`
  if (process.getuid?.() !== 0) return 'only root may give Exim another configuration'
  return spawnSync('id', [USER]).status === 0 ? undefined : `there is no user ${USER}`
}

/** Why tests with a real mail server are skipped, if they are. */
export const WHY_NO_EXIM = whyNot()

/** Where a mail server passes mail on to. */
export interface Routes {
  /** Port for the domains that begin with `bounces.`. */
  readonly reports: number
  /** Port for `sink.example`. */
  readonly sink: number
}

/** Returns a configuration: a relay that takes mail for any address, and makes reports of what it cannot deliver. */
const configuration = (directory: string, port: number, { reports, sink }: Routes): string => `
exim_user = ${USER}
exim_group = ${USER}
spool_directory = ${directory}/spool
log_file_path = ${directory}/log/%slog
pid_file_path = ${directory}/exim.pid
primary_hostname = relay.example
local_interfaces = 127.0.0.1
daemon_smtp_ports = ${port}
tls_advertise_hosts =
host_lookup =
keep_environment =
smtp_accept_max = 0
smtp_accept_queue_per_connection = 0
acl_smtp_rcpt = any
acl_smtp_data = any
begin acl
any:
  accept
begin routers
reports:
  driver = manualroute
  domains = ^bounces\\\\.
  transport = reports
  route_list = * 127.0.0.1
  self = send
sink:
  driver = manualroute
  domains = sink.example
  transport = sink
  route_list = * 127.0.0.1
  self = send
begin transports
reports:
  driver = smtp
  port = ${reports}
  allow_localhost
sink:
  driver = smtp
  port = ${sink}
  allow_localhost
begin retry
* * F,1h,1m
`

const answers = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('data', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })

/** Starts Debian's mail server as a relay, with a configuration and a spool of its own. @param port a free one */
export const startExim = async (port: number, routes: Routes) => {
  const directory = await mkdtemp(path.join(tmpdir(), 'millrace-exim-'))
  const file = path.join(directory, 'exim.conf')
  for (const folder of ['spool', 'log']) await mkdir(path.join(directory, folder))
  execFileSync('chown', ['-R', `${USER}:${USER}`, directory])
  await chmod(directory, 0o755)
  await writeFile(file, configuration(directory, port, routes), { mode: 0o644 })
  const child = spawn(EXIM, ['-C', file, '-bdf', '-q1m'], { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await eventually(() => answers(port))
  return {
    /** Returns the log of the server. */
    log: () => readFile(path.join(directory, 'log', 'mainlog'), 'utf8'),
    async stop() {
      child.kill('SIGTERM')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}
