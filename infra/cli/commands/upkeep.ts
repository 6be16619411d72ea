import path from 'node:path'
import type { Command } from 'commander'
import { readConfig } from '../../config.ts'
import { readSecret } from '../../data-directory/secret.ts'
import { backUp } from '../../upkeep/backup.ts'
import { verify } from '../../upkeep/verify.ts'
import { printLine } from '../output.ts'
import { settingsOf } from '../session.ts'

interface Flags {
  readonly data?: string
  readonly json?: boolean
}

const MOST_FINDINGS = 100

const check = async (flags: Flags): Promise<void> => {
  const config = readConfig(settingsOf({ MILLRACE_DATA: flags.data }))
  const secret = readSecret(config.data, config.secret)
  let findings = 0
  let events = 0
  for await (const found of verify(config, secret)) {
    if ('finding' in found) {
      if (++findings <= MOST_FINDINGS) await printLine(flags.json ? JSON.stringify(found) : found.finding)
    } else {
      events = found.checked
      process.stderr.write(`\r${found.checked}${found.of === undefined ? '' : ` of ${found.of}`} events`)
    }
  }
  process.stderr.write('\n')
  const opened = secret ? 'what is sealed opens' : 'what is sealed was not opened: there is no master secret here'
  if (findings === 0) process.stdout.write(flags.json ? '' : `${events} events, all in order; ${opened}.\n`)
  else throw new Error(`${findings} things are wrong; the first ${Math.min(findings, MOST_FINDINGS)} are named above`)
}

const makeBackup = async (target: string, flags: Flags): Promise<void> => {
  const config = readConfig(settingsOf({ MILLRACE_DATA: flags.data }))
  const backup = await backUp(config, path.resolve(target))
  const lines = [
    `Everything up to position ${backup.position} is in`,
    `  ${backup.log}   the log and the files of exports: may be kept for ever`,
    `  ${backup.keys}  halves of keys: keep them no longer than an erasure may take`,
    'Not in it: the master secret (the file `secret`, or MILLRACE_SECRET), which belongs elsewhere.',
    ...(config.s3 ? ['Not in it: the files in the bucket, which has a backup of its own.'] : []),
    'To restore, copy both, and the secret, into an empty directory.',
    'It says of itself that it is a copy: a start on it sends, charges and fires nothing before `millrace copy release`.',
  ]
  process.stdout.write(flags.json ? `${JSON.stringify(backup)}\n` : `${lines.join('\n')}\n`)
}

export const addUpkeep = (program: Command): void => {
  program
    .command('verify')
    .description(
      'look whether everything in the data directory, and in a log on a server, is in order; also while the service runs',
    )
    .option('--data <directory>', 'data directory')
    .option('--json', 'print findings as JSON lines')
    .action(check)
  program
    .command('backup <directory>')
    .description(
      'copy the log, the files of exports and the keys as they are at one moment; also while the service runs',
    )
    .option('--data <directory>', 'data directory')
    .option('--json', 'print one line of JSON')
    .action(makeBackup)
}
