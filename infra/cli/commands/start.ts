import type { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { makesInstallation } from '../installation.ts'
import { settingsOf } from '../session.ts'

interface StartFlags {
  readonly port?: string
  readonly publicPort?: string
  readonly sdkPort?: string
  readonly mcpPort?: string
  readonly mailPort?: string
  readonly host?: string
  readonly data?: string
  readonly demo: boolean
  readonly roles?: string
  readonly acceptLoss?: boolean
  readonly json?: boolean
}

const start = async (flags: StartFlags): Promise<void> => {
  const config = readConfig(
    settingsOf({
      MILLRACE_PORT: flags.port,
      MILLRACE_PUBLIC_PORT: flags.publicPort,
      MILLRACE_SDK_PORT: flags.sdkPort,
      MILLRACE_MCP_PORT: flags.mcpPort,
      MILLRACE_MAIL_PORT: flags.mailPort,
      MILLRACE_HOST: flags.host,
      MILLRACE_DATA: flags.data,
      MILLRACE_DEMO: flags.demo ? undefined : '0',
      MILLRACE_ROLES: flags.roles,
      MILLRACE_ACCEPT_LOSS: flags.acceptLoss ? '1' : undefined,
    }),
  )
  // Loaded only now: it is most of the program, and a wrong setting is said without it.
  const { runService } = await import('../service.ts')
  await runService(config, flags.json === true)
}

export const addStart = (program: Command): void => {
  makesInstallation(program.command('start'))
    .description('run the service')
    .option('--port <number>', 'port of the API (MILLRACE_PORT, 4000)')
    .option('--public-port <number>', 'port of the public listener (MILLRACE_PUBLIC_PORT, one above that of the API)')
    .option('--sdk-port <number>', 'port that the browser SDK calls (MILLRACE_SDK_PORT, two above that of the API)')
    .option('--mcp-port <number>', 'port of the agent server (MILLRACE_MCP_PORT, three above that of the API)')
    .option('--mail-port <number>', 'port to which reports about mails come, by SMTP (MILLRACE_MAIL_PORT, none)')
    .option('--host <address>', 'address to listen on (MILLRACE_HOST, 127.0.0.1)')
    .option('--data <directory>', 'where the embedded stores are kept (MILLRACE_DATA, ./data)')
    .option(
      '--roles <roles>',
      'some of api,projector,worker; several processes need both servers (MILLRACE_ROLES, all)',
    )
    .option('--no-demo', 'do not make a demo workspace on an empty installation (MILLRACE_DEMO=0)')
    .option('--accept-loss', 'open a log whose write-ahead log is gone, once (MILLRACE_ACCEPT_LOSS=1)')
    .option('--json', 'print one line of JSON when ready')
    .action(start)
}
