import { createInterface } from 'node:readline'
import { claimDataDirectory } from '../../../infra/data-directory/claim.ts'

/** Prints that it is ready, claims the directory at the first line of its input, and holds it until the input ends. */
const input = createInterface({ input: process.stdin })
const told = input[Symbol.asyncIterator]()
process.stdout.write('ready\n')
await told.next()
try {
  const { release } = await claimDataDirectory(process.argv[2]!)
  process.stdout.write('claimed\n')
  await told.next()
  await release()
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`)
}
process.exit()
